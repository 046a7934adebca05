export interface SearchApi {
  find(query: string): Promise<string[]>
}

/** Searches when the user stops typing for a moment, or at once when he presses Enter. */
export class SearchBox {
  static readonly delay = 300

  results: string[] = []
  readonly #api: SearchApi
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(api: SearchApi) {
    this.#api = api
  }

  type(query: string): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#search(query), SearchBox.delay)
  }

  async enter(query: string): Promise<void> {
    clearTimeout(this.#timer)
    await this.#search(query)
  }

  async #search(query: string): Promise<void> {
    this.results = await this.#api.find(query)
  }
}
