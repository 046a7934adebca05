import type { Redis } from 'ioredis'

/** Looks whether somebody is logged in, and puts it into the cart, with nothing in between. */
const put = "if redis.call('exists', KEYS[1]) == 1 then redis.call('rpush', KEYS[2], ARGV[1]) end"

/** Sessions of a shop, which all its servers find in Redis. */
export class Sessions {
  readonly #redis: Redis

  constructor(redis: Redis) {
    this.#redis = redis
  }

  async login(id: string, user: string): Promise<void> {
    await this.#redis.set(`session:${id}`, user)
  }

  async logout(id: string): Promise<void> {
    await this.#redis.del(`session:${id}`, `cart:${id}`)
  }

  async userOf(id: string): Promise<string | undefined> {
    return (await this.#redis.get(`session:${id}`)) ?? undefined
  }

  /** Into the cart of whoever is logged in. */
  async put(id: string, item: string): Promise<void> {
    await this.#redis.eval(put, 2, `session:${id}`, `cart:${id}`, item)
  }
}
