import type { Redis } from 'ioredis'

interface Session {
  readonly user: string
  readonly cart: readonly string[]
}

/** Sessions of a shop, which all its servers find in Redis. */
export class Sessions {
  readonly #redis: Redis

  constructor(redis: Redis) {
    this.#redis = redis
  }

  async login(id: string, user: string): Promise<void> {
    await this.#write(id, { user, cart: [] })
  }

  async logout(id: string): Promise<void> {
    await this.#redis.del(`session:${id}`)
  }

  async userOf(id: string): Promise<string | undefined> {
    return (await this.#read(id))?.user
  }

  /** Into the cart of whoever is logged in. */
  async put(id: string, item: string): Promise<void> {
    const session = await this.#read(id)
    if (session) await this.#write(id, { ...session, cart: [...session.cart, item] })
  }

  async #read(id: string): Promise<Session | undefined> {
    const text = await this.#redis.get(`session:${id}`)
    return text === null ? undefined : (JSON.parse(text) as Session)
  }

  async #write(id: string, session: Session): Promise<void> {
    await this.#redis.set(`session:${id}`, JSON.stringify(session))
  }
}
