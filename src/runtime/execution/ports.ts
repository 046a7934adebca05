import { Reflect } from '../../engine/intrinsics.ts'
import type { ObjectId } from './identity.ts'
import { entry, type Key, property } from './keys.ts'

/** What listens somewhere, and says where. */
export interface Listening {
  address(): unknown
}

/**
 * Numbers that are other ones in each execution: ports that the platform chooses, of `server.listen(0)`, and those by which a fake clock knows its timers. Where one stands in a key,
 * as in pools of connections that are kept by address, the key is that of whoever listens there.
 */
export class Ports {
  /** Those of which it is not known yet. */
  #waiting: { readonly server: Listening; readonly name: string }[] = []
  readonly #names = new Map<string, string>()

  listens(server: Listening, id: ObjectId): void {
    if (!this.#waiting.some((one) => one.server === server)) this.#waiting.push({ server, name: `port ${id}` })
  }

  /** In every execution this stands for the number. */
  means(number: number, name: string): void {
    this.#names.set(String(number), name)
  }

  /** What a key is called in every execution. */
  keyOf(key: Key): Key {
    if (key.kind === 'entry' && typeof key.key === 'number') return entry(this.inAll(key.key))
    const text: unknown = key.kind === 'property' ? key.name : key.kind === 'entry' ? key.key : undefined
    if (typeof text !== 'string') return key
    const named = this.named(text)
    return named === text ? key : key.kind === 'property' ? property(named) : entry(named)
  }

  /** A text or a number as it is in every execution. */
  inAll(value: unknown): unknown {
    if (typeof value === 'string') return this.named(value)
    return typeof value === 'number' ? (this.#names.get(String(value)) ?? value) : value
  }

  /** A text with the names of ports in their place. */
  named(text: string): string {
    if (!/\d{4}/.test(text)) return text
    if (this.#waiting.length > 0) this.#look()
    return this.#names.size === 0 ? text : text.replace(/\d{4,}/g, (digits) => this.#names.get(digits) ?? digits)
  }

  #look(): void {
    this.#waiting = this.#waiting.filter(({ server, name }) => {
      const port = portOf(server)
      if (port !== undefined) this.#names.set(String(port), name)
      return port === undefined
    })
  }
}

function portOf(server: Listening): number | undefined {
  let address: unknown
  try {
    address = server.address()
  } catch {
    // Some say so in this way that they have none yet.
  }
  const port: unknown = typeof address === 'object' && address !== null ? Reflect.get(address, 'port') : undefined
  return typeof port === 'number' ? port : undefined
}
