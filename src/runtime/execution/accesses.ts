import type { SiteId } from '../../engine/ids.ts'
import { ABSENT, hashValue, type Look, type Search } from '../../engine/index.ts'
import type { Loop } from './loops.ts'
import type { Identities, ObjectId } from './identity.ts'
import { OPAQUE, TURN, type Key } from './keys.ts'
import type { Settlement, Witness } from './told-access.ts'
import { pass } from './sources.ts'

/** What a reader is told of instead of a number that grows: what came, went, or is different. */
export type MemberChange = { readonly kind: 'insert' | 'remove'; readonly member: unknown } | { readonly kind: 'write'; readonly value: unknown }

/** What accesses need of the engine. */
export type AccessSearch = Pick<
  Search,
  'read' | 'write' | 'assign' | 'add' | 'append' | 'insert' | 'remove' | 'clear' | 'combine' | 'wait' | 'look' | 'saw' | 'startAnew'
>

export type { Look }

/**
 * Who accesses something now. `alone`: code before the explored part, of which nobody has to know. `exploring`: the step that
 * the engine chose. `final`: code after the last step, which looks at what the steps have left.
 */
export type Part = 'alone' | 'exploring' | 'final'

/**
 * What the running step accesses. Each access is told once, here, and from here reaches the engine and, where an execution
 * is written down, its record: neither can have what the other has not.
 */
export class Accesses {
  readonly #identities: Identities
  readonly #search: AccessSearch
  readonly #witness: Witness | undefined
  readonly #tellsAll: boolean
  part: Part = 'alone'
  /**
   * Nobody else is there in the running step, nor has been in any step before it: whoever comes does so by what these have done, and after them. What they
   * access need not be told, as before the explored part. That ends with what is real, or not instrumented: what comes of that may be another thing in the next
   * execution, which is found out by what is told. Whoever writes down what is accessed is told in full: stories are made from that, and which lines race.
   */
  isLone = false
  /**
   * Whether what is read has to be the same when a step is taken again. What only opaque code looks at may differ: its versions,
   * its numbers of its objects.
   */
  comparesValues = true
  /** Something real is open, such as a server: ports, addresses and dates differ from run to run. What is accessed must not. */
  #hasRealThings = false
  /** Where the last access stands whose place is known. */
  lastSite: SiteId = 0
  /** Hears which objects the step changes, but for what code that is not instrumented keeps of them. */
  onChange: ((object: ObjectId) => void) | undefined
  /** Tells what code that is not instrumented has changed in the step so far: a loop has to know all that each round of it changes. */
  beforeRoundEnds: (() => void) | undefined
  /** The loop that the running step is of, if it may be one that waits by asking again. */
  loop: Loop | undefined

  constructor(search: AccessSearch, identities: Identities, witness: Witness | undefined) {
    this.#search = search
    this.#identities = identities
    this.#witness = witness
    this.#tellsAll = identities.assumptions.isReplaying
  }

  get hasRealThings(): boolean {
    return this.#hasRealThings
  }

  meetsRealThings(): void {
    this.#hasRealThings = true
    this.isLone = false
  }

  get isExploring(): boolean {
    return this.part === 'exploring'
  }

  /**
   * Looks at a location, and finds this value. `look` is what the look tells apart: all of the value, whether there is one,
   * whether it is an integer, how many there are, or in which order.
   */
  read(object: ObjectId, key: Key, site: SiteId, value: unknown, look: Look = 'value'): void {
    if (this.part === 'alone' || this.#passesUntold(site)) return
    if (this.#isOwn(object)) return this.readUnchanged(object, site, value)
    const location = this.#identities.location(object, key)
    if (this.part === 'final') return this.#search.look(location, look)
    this.#search.read(location, site, look)
    if (this.#identities.isNobodys(object)) this.#meetsOpaque(site)
    if (this.loop !== undefined) this.loop.reads(object, location, { value, look, site })
    if (this.comparesValues && !this.hasRealThings) this.#search.saw(hashValue(this.#identities.inAll(value)))
    this.#at(site)?.access({ kind: 'read', location, object, key, site, value, look })
  }

  /** Looks at a location, and is there from now on for whoever changes it: what that one does next depends on who is. Commutes with its like. */
  register(object: ObjectId, key: Key, site: SiteId, value: unknown): void {
    if (this.part !== 'exploring' || this.#passesUntold(site)) return
    const location = this.#identities.location(object, key)
    this.#search.combine(location, site)
    if (this.loop !== undefined) this.loop.reads(object, location, { value, look: 'value', site })
    if (this.comparesValues && !this.hasRealThings) this.#search.saw(hashValue(this.#identities.inAll(value)))
    this.#at(site)?.access({ kind: 'read', location, object, key, site, value, look: 'value' })
  }

  /** Looks at what nobody changes (`UnchangedKeys`): that need not be told, but it has to be the same when the step is taken again. */
  readUnchanged(object: ObjectId, site: SiteId, value: unknown): void {
    if (this.#passesUntold(site)) return
    if (this.part === 'exploring' && this.#identities.isNobodys(object)) this.#meetsOpaque(site)
    if (this.loop !== undefined) this.loop.readsUnchanged(site)
    if (this.part === 'exploring' && this.comparesValues && !this.hasRealThings) this.#search.saw(hashValue(this.#identities.inAll(value)))
    this.#at(site)
  }

  /** Changes a location to this value, which may have been made of what was there: the coarsest change. `doing` says how, where no value does. */
  write(object: ObjectId, key: Key, site: SiteId, value: unknown, doing?: string): void {
    if (this.part !== 'exploring' || this.#passesUntold(site)) return
    const location = this.#identities.location(object, key)
    this.#search.write(location, site)
    this.#changes(object, key)
    this.#at(site)?.access({ kind: 'write', location, object, key, site, value, doing })
  }

  /** Gives a location this value, whatever was there; `ABSENT` takes it away. Commutes with its like until somebody looks. */
  assign(object: ObjectId, key: Key, site: SiteId, value: unknown): void {
    if (this.part !== 'exploring' || this.#passesUntold(site)) return
    const location = this.#identities.location(object, key)
    this.#search.assign(location, site, value)
    this.#changes(object, key)
    this.#at(site)?.access({ kind: 'assign', location, object, key, site, value: value === ABSENT ? undefined : value, isGone: value === ABSENT })
  }

  /**
   * A property or entry of an object is about to get a value, or goes: true where nobody else knows the object yet, as of one that is being made, whether by a
   * literal or bit by bit. That need not be told.
   */
  changesOwn(object: ObjectId, site: SiteId): boolean {
    if (this.#passesUntold(site)) {
      this.onChange?.(object)
      return true
    }
    if (!this.#isOwn(object)) return false
    this.onChange?.(object)
    if (this.#identities.isNobodys(object)) this.#meetsOpaque(site)
    this.#at(site)
    return true
  }

  /** Adds a number to what was found; nobody uses the result. With integers it commutes with its like. */
  increase(object: ObjectId, key: Key, site: SiteId, { found, amount, change }: { readonly found: number; readonly amount: number; readonly change?: MemberChange | undefined }): void {
    if (this.part !== 'exploring' || this.#passesUntold(site)) return
    const location = this.#identities.location(object, key)
    this.#search.add(location, site, amount, found)
    this.#changes(object, key)
    this.#at(site)?.access({ location, object, key, site, ...(change ?? { kind: 'increase', found, value: found + amount }) })
  }

  /** Looks whether there is a number to add to, and a number is added; it is not so: what follows reads and writes. To be told where `increase` would be. */
  findNoNumber(object: ObjectId, key: Key, site: SiteId): void {
    if (this.part === 'exploring' && !this.isUntold) this.#search.add(this.#identities.location(object, key), site, undefined)
  }

  /** Changes a location in a way that commutes with other such changes, whoever looks at it later: this is its value now. */
  combine(object: ObjectId, key: Key, site: SiteId, value: unknown): void {
    if (this.part !== 'exploring' || this.#passesUntold(site)) return
    const location = this.#identities.location(object, key)
    this.#search.combine(location, site)
    this.#at(site)?.access({ kind: 'write', location, object, key, site, value })
  }

  /** Changes a location, of which a story tells by another one. */
  change(object: ObjectId, key: Key): void {
    if (this.part === 'exploring' && !this.isUntold) this.#search.write(this.#identities.location(object, key))
  }

  /** What the step does depends on a location, but no story tells of it. */
  look(object: ObjectId, key: Key): void {
    if (this.isExploring && !this.isUntold) this.#search.read(this.#identities.location(object, key))
  }

  /** Puts a value behind all others of a list; nobody uses the result. Commutes with its like until somebody looks. */
  append(object: ObjectId, key: Key, site: SiteId, value: unknown): void {
    if (this.part !== 'exploring' || this.#passesUntold(site)) return
    const location = this.#identities.location(object, key)
    this.#search.append(location, site, value)
    this.#changes(object, key)
    this.#at(site)?.access({ kind: 'append', location, object, key, site, value })
  }

  /** `inserted` is among the keys from now on, behind all others if it was not there. Commutes with its like until somebody looks. */
  insert(object: ObjectId, key: Key, site: SiteId, inserted: unknown): void {
    if (this.part !== 'exploring' || this.#passesUntold(site)) return
    const location = this.#identities.location(object, key)
    this.#search.insert(location, site, this.#identities.inAll(inserted))
    this.#changes(object, key)
    this.#at(site)?.access({ kind: 'insert', location, object, key, site, member: inserted })
  }

  /** `removed` is not among the keys from now on. Commutes with its like until somebody looks. */
  remove(object: ObjectId, key: Key, site: SiteId, removed: unknown): void {
    if (this.part !== 'exploring' || this.#passesUntold(site)) return
    const location = this.#identities.location(object, key)
    this.#search.remove(location, site, this.#identities.inAll(removed))
    this.#changes(object, key)
    this.#at(site)?.access({ kind: 'remove', location, object, key, site, member: removed })
  }

  /** Nothing is among the keys from now on. */
  clear(object: ObjectId, key: Key, site: SiteId): void {
    if (this.part !== 'exploring' || this.#passesUntold(site)) return
    const location = this.#identities.location(object, key)
    this.#search.clear(location, site)
    this.#changes(object, key)
    this.#at(site)?.access({ kind: 'write', location, object, key, site, value: 0 })
  }

  /** Decides a promise, or lets a timer fire: others may be enabled by it. */
  settle(object: ObjectId, key: Key, site: SiteId, outcome?: Settlement): void {
    if (this.part !== 'exploring') return
    const location = this.#identities.location(object, key)
    this.#search.write(location, site)
    this.#changes(object, key)
    this.#at(site)?.access({ kind: 'settle', location, object, key, site, as: outcome?.as, value: outcome?.value })
  }

  /** A settling of a promise that comes too late: it finds this state. */
  settleTooLate(object: ObjectId, key: Key, site: SiteId, state: string, outcome?: Settlement): void {
    if (this.part === 'alone') return
    if (!outcome || this.part === 'final') return this.read(object, key, site, state)
    const location = this.#identities.location(object, key)
    this.#search.read(location, site, 'value')
    if (this.loop !== undefined) this.loop.changes(object)
    this.#search.saw(hashValue(state))
    this.#at(site)?.access({ kind: 'read', location, object, key, site, value: outcome.value, look: 'value', as: outcome.as })
  }

  /** The step was enabled by the last change of the location: it comes after it, and never races with it. */
  wait(object: ObjectId, key: Key, site: SiteId): void {
    if (this.part !== 'exploring') return
    const location = this.#identities.location(object, key)
    this.#search.wait(location, site)
    this.#at(site)?.access({ kind: 'wait', location, object, key, site })
  }

  /** The same where no change of it may have done so: no story tells of it. */
  waitUnseen(object: ObjectId, key: Key): void {
    if (this.isExploring) this.#search.wait(this.#identities.location(object, key))
  }

  /** It is the turn of this step, which others may wait for. No story tells of it: the language has it so. */
  takeTurn(object: ObjectId): void {
    if (this.isExploring) this.#search.write(this.#identities.location(object, TURN))
  }

  /** What the running step does would be another thing if somebody had had a turn before, or had not. */
  lookForTurn(object: ObjectId): void {
    if (this.isExploring) this.#search.read(this.#identities.location(object, TURN))
  }

  /** The step was enabled by the end of that turn. */
  followTurn(object: ObjectId): void {
    this.waitUnseen(object, TURN)
  }

  /** What was taken for granted in this exploration is not so: it has to start anew. */
  startAnew(): void {
    if (this.part !== 'alone') this.#search.startAnew()
  }

  /** Whether what is accessed now need not be told. A loop that asks again in later steps has to know all that it asks. */
  get isUntold(): boolean {
    return this.isLone && this.loop === undefined
  }

  /** The same; the program is there all the same. */
  #passesUntold(site: SiteId): boolean {
    if (!this.isUntold) return false
    this.passes(site)
    return true
  }

  /**
   * Whether only the running step knows the object, which it has made. Whoever comes to know of it does so by what the step leaves
   * behind, and comes after it anyway. A schedule that is run again is told in full: it is what stories are made from; and a loop that
   * asks again in later steps has to know all that it asks.
   */
  #isOwn(object: ObjectId): boolean {
    return this.part === 'exploring' && !this.#tellsAll && this.loop === undefined && this.#identities.isNew(object)
  }

  /** What others look at was changed, unless nobody has seen the object yet. */
  #changes(object: ObjectId, key: Key): void {
    if (this.onChange !== undefined && key !== OPAQUE) this.onChange(object)
    if (this.#identities.isNobodys(object)) this.#meetsOpaque(this.lastSite)
    if (this.loop !== undefined) this.loop.changes(object)
    if (key.kind !== 'property' && key.kind !== 'watched') return
    const identities = this.#identities
    if (!identities.isNew(object) && identities.assumptions.unchanged.lose(key)) this.#search.startAnew()
  }

  /** What code that is not instrumented may have in its hands is accessed: any call of it may look at that, and change it. */
  #meetsOpaque(site: SiteId): void {
    const object = this.#identities.inOpaqueHands
    const location = this.#identities.location(object, OPAQUE)
    this.#search.combine(location, site)
    if (this.loop !== undefined) this.loop.reads(object, location, { value: undefined, look: 'value', site })
    this.#witness?.access({ kind: 'read', location, object, key: OPAQUE, site, value: undefined, look: 'value' })
  }

  /** Who writes down the access that stands there. */
  #at(site: SiteId): Witness | undefined {
    this.passes(site)
    return this.#witness
  }

  /** The program is there. */
  passes(site: SiteId): void {
    if (site <= 0) return
    this.lastSite = site
    pass(site)
  }
}
