import { readFile, writeFile } from 'node:fs/promises'

/** Settings in a file. */
export class FileStore {
  readonly #file: string
  #last: Promise<void> = Promise.resolve()

  constructor(file: string) {
    this.#file = file
  }

  async all(): Promise<Record<string, string>> {
    return JSON.parse(await readFile(this.#file, 'utf8')) as Record<string, string>
  }

  /** One change after the other. */
  set(name: string, value: string): Promise<void> {
    this.#last = this.#last.then(async () => {
      const settings = await this.all()
      await writeFile(this.#file, JSON.stringify({ ...settings, [name]: value }))
    })
    return this.#last
  }
}
