export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string
}

export interface TokenStore {
  load(): Promise<string>
  save(refreshToken: string): Promise<void>
}

/** Where an application keeps its refresh token. */
export class MemoryStore implements TokenStore {
  #token: string

  constructor(token: string) {
    this.#token = token
  }

  async load(): Promise<string> {
    return this.#token
  }

  async save(token: string): Promise<void> {
    this.#token = token
  }
}

/** A server whose refresh tokens can be used once, as most do. */
export class AuthServer {
  #generation = 1

  async refresh(refreshToken: string): Promise<Tokens> {
    if (refreshToken !== `refresh-${this.#generation}`) throw new Error(`invalid_grant: ${refreshToken} was used before`)
    this.#generation++
    return { accessToken: `access-${this.#generation}`, refreshToken: `refresh-${this.#generation}` }
  }

  async fetch(path: string, accessToken: string): Promise<string> {
    if (accessToken !== `access-${this.#generation}`) throw new Error(`${path}: 401`)
    return `${path}: 200`
  }
}
