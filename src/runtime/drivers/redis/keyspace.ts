import type { SiteId } from '../../../engine/ids.ts'
import type { Execution } from '../../execution/execution.ts'
import type { ObjectId } from '../../execution/identity.ts'
import { partKey, resourceKey, STORED } from '../../execution/keys.ts'
import { namedObject } from '../../execution/named-objects.ts'
import type { KeyAccess } from './commands.ts'
import { tellDone } from '../../accesses/counted.ts'

/** All that there is of a database. */
const whole = resourceKey(undefined)
/** How often something of it was changed. */
const changes = partKey(0)

/** Tells of one database in a step. Its locations: all that there is; what is stored under each key; and that anything has changed, for those who look at all keys. */
export class Keyspace {
  readonly #execution: Execution
  readonly #name: string
  readonly #site: SiteId
  readonly #object: ObjectId

  /** @param name what tells it from others, such as `localhost:6379/0` */
  constructor(execution: Execution, name: string, site: SiteId) {
    this.#execution = execution
    this.#name = name
    this.#site = site
    this.#object = namedObject(execution, `Redis ${name}`, 'the database')
  }

  /** @param value what is found there, or put there, as far as that is known */
  access({ key, kind }: KeyAccess, value: unknown): void {
    const { accesses } = this.#execution
    const object = namedObject(this.#execution, `Redis ${this.#name} key ${key}`, key)
    accesses.look(this.#object, whole)
    if (kind === 'read') return accesses.read(object, STORED, this.#site, value)
    accesses.write(object, STORED, this.#site, value)
    tellDone(this.#execution, this.#object, changes, this.#site)
  }

  /** Of the server, whichever database it is asked in. */
  accessChannel(server: string, { key, kind }: KeyAccess, text: string): void {
    const { accesses } = this.#execution
    const object = namedObject(this.#execution, `Redis ${server} channel ${key}`, key)
    accesses.look(this.#object, whole)
    if (kind === 'read') return accesses.read(object, STORED, this.#site, text)
    accesses.write(object, STORED, this.#site, text)
  }

  /** @param found what is known of it */
  lookAtAll(found: unknown): void {
    const { accesses } = this.#execution
    accesses.look(this.#object, changes)
    accesses.read(this.#object, whole, this.#site, found)
  }

  changeAll(text: string): void {
    this.#execution.accesses.write(this.#object, whole, this.#site, text)
    tellDone(this.#execution, this.#object, changes, this.#site)
  }
}
