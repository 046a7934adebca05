import type { LocationId, SiteId } from '../../../engine/ids.ts'
import type { Execution } from '../../execution/execution.ts'
import type { ObjectId } from '../../execution/identity.ts'
import { partKey, resourceKey, STORED, type Key } from '../../execution/keys.ts'
import type { KeyAccess } from './commands.ts'

/** All that there is of a database. */
const whole = resourceKey(undefined)
/** How often something of it was changed. */
const changes = partKey(0)

/** By execution and location: how often what commutes was done to it. */
const counts = new WeakMap<Execution, Map<LocationId, number>>()

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
    this.#object = this.#named(`Redis ${name}`, 'the database')
  }

  /** @param value what is found there, or put there, as far as that is known */
  access({ key, kind }: KeyAccess, value: unknown): void {
    const { accesses } = this.#execution
    const object = this.#named(`Redis ${this.#name} key ${key}`, key)
    accesses.look(this.#object, whole)
    if (kind === 'read') return accesses.read(object, STORED, this.#site, value)
    accesses.write(object, STORED, this.#site, value)
    this.#increase(changes)
  }

  /** @param found what is known of it */
  lookAtAll(found: unknown): void {
    const { accesses } = this.#execution
    accesses.look(this.#object, changes)
    accesses.read(this.#object, whole, this.#site, found)
  }

  changeAll(text: string): void {
    this.#execution.accesses.write(this.#object, whole, this.#site, text)
    this.#increase(changes)
  }

  #named(identity: string, name: string): ObjectId {
    const { identities, recorder } = this.#execution
    const object = identities.named(identity)
    recorder?.owners.tell(object, () => name)
    return object
  }

  #increase(part: Key): void {
    let ofExecution = counts.get(this.#execution)
    if (!ofExecution) counts.set(this.#execution, (ofExecution = new Map()))
    const location = this.#execution.identities.location(this.#object, part)
    const found = ofExecution.get(location) ?? 0
    ofExecution.set(location, found + 1)
    this.#execution.accesses.increase(this.#object, part, this.#site, { found, amount: 1 })
  }
}
