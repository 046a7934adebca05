import type { Tokens, TokenStore } from './auth-server.ts'

export interface Api {
  refresh(refreshToken: string): Promise<Tokens>
  fetch(path: string, accessToken: string): Promise<string>
}

/** Fetches with an access token, which it renews when the server has rejected it. */
export class ApiClient {
  readonly #api: Api
  readonly #store: TokenStore
  #accessToken: string | undefined
  #renewal: Promise<string> | undefined

  constructor(api: Api, store: TokenStore) {
    this.#api = api
    this.#store = store
  }

  async fetch(path: string): Promise<string> {
    const token = this.#accessToken ?? (await this.#renew())
    return this.#api.fetch(path, token)
  }

  /** There is at most one renewal: it is known before its first await. */
  #renew(): Promise<string> {
    this.#renewal ??= this.#exchange().finally(() => {
      this.#renewal = undefined
    })
    return this.#renewal
  }

  async #exchange(): Promise<string> {
    const tokens = await this.#api.refresh(await this.#store.load())
    await this.#store.save(tokens.refreshToken)
    this.#accessToken = tokens.accessToken
    return tokens.accessToken
  }
}
