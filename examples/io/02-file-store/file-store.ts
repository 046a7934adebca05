import { readFile, writeFile } from 'node:fs/promises'

/** Settings in a file. */
export class FileStore {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  async all(): Promise<Record<string, string>> {
    return JSON.parse(await readFile(this.#file, 'utf8')) as Record<string, string>
  }

  async set(name: string, value: string): Promise<void> {
    const settings = await this.all()
    await writeFile(this.#file, JSON.stringify({ ...settings, [name]: value }))
  }
}
