/** A table of profiles in memory, with a log of what was loaded. */
export class Database {
  readonly loaded: string[] = []
  readonly #names = new Map([['ada', 'Ada Lovelace'], ['alan', 'Alan Turing']])

  async load(id: string): Promise<{ id: string; name: string }> {
    this.loaded.push(id)
    const name = await this.#names.get(id)
    if (name === undefined) throw new Error(`no profile ${id}`)
    return { id, name }
  }
}

/** Stands for a question to the sign-in service. */
export async function mayRead(_reader: string, id: string): Promise<boolean> {
  const isPublic = await Promise.resolve(id !== 'root')
  return isPublic
}
