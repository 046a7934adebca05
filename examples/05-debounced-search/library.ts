/** A list of titles in memory. */
export class Library {
  readonly #titles = ['vite', 'vitest', 'vitest-dpor']

  async find(query: string): Promise<string[]> {
    return this.#titles.filter((title) => title.startsWith(query))
  }
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
