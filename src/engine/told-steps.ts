import { ACQUIRE, RELEASE, type HoldsBefore } from './access.ts'
import { EngineError } from './errors.ts'
import type { LocationId, Ordinal, ProcessId, SiteId } from './ids.ts'
import { inEngine } from './observation/engine-locations.ts'
import { lookBits, type Look } from './observation/look.ts'
import { ToldAccesses } from './observation/told-accesses.ts'
import { NONE } from './trace/processes.ts'
import type { Trace } from './trace/trace.ts'

export type Phase = 'between executions' | 'between steps' | 'in a step' | 'ended'

/** What a driver tells of the steps of the execution under way: what each of them looks at and changes, and what it waited for. */
export abstract class ToldSteps {
  protected readonly trace: Trace
  protected phase: Phase = 'between executions'
  /** Ordinal of the process whose step is running. */
  protected running: Ordinal | typeof NONE = NONE
  readonly #told: ToldAccesses

  constructor(trace: Trace) {
    this.trace = trace
    this.#told = new ToldAccesses(trace)
  }

  /** The step now running looks at the location, which tells apart what `look` says; an own value that is not read from others is no look. */
  read(location: LocationId, site: SiteId = 0, look: Look = 'value'): void {
    this.expect('in a step', 'read')
    this.trace.footprint.read(inEngine(location), site, lookBits(look))
  }

  /**
   * The step now running reads the location and changes it in a way of which nothing more is known: of a value, a list, or
   * all keys of an order location at once. It is ordered with all other accesses.
   */
  write(location: LocationId, site: SiteId = 0): void {
    this.expect('in a step', 'write')
    this.#told.write(inEngine(location), site)
  }

  /**
   * The step now running gives the location a value, `ABSENT` if it is removed, without looking at the one before. Values are
   * compared by `Object.is`.
   */
  assign(location: LocationId, site: SiteId, value: unknown): void {
    this.expect('in a step', 'assign')
    this.#told.assign(inEngine(location), site, value)
  }

  /**
   * The step now running adds `amount` to the location, where it `found` a number. If both are safe integers, it commutes with
   * other such steps; else it is a `write`. Without `found` the caller guarantees that both are safe integers, and so is
   * the sum, in whatever order others add.
   */
  add(location: LocationId, site: SiteId, amount: unknown, found?: unknown): void {
    this.expect('in a step', 'add')
    this.#told.add(inEngine(location), site, { amount, found })
  }

  /** The step now running puts `value` at the end of the list at the location, without looking at the list. */
  append(location: LocationId, site: SiteId, value: unknown): void {
    this.expect('in a step', 'append')
    this.#told.append(inEngine(location), site, value)
  }

  /**
   * The step now running changes the location in a way that commutes with other such changes, whoever looks at it later; it
   * conflicts with everything else. WARNING: that they do commute is not checked.
   */
  combine(location: LocationId, site: SiteId = 0): void {
    this.expect('in a step', 'combine')
    this.#told.combine(inEngine(location), site)
  }

  /**
   * The step now running sets a key of a Map, Set or object whose keys come in the order of the location: a new one comes last,
   * one that is there stays where it is. The value that goes with the key has a location of its own. Keys are compared as a
   * Map does. An order location is read by `read`, with the looks 'order' and 'size', and written as a whole by `write`.
   */
  insert(location: LocationId, site: SiteId, key: unknown): void {
    this.expect('in a step', 'insert')
    this.#told.insert(inEngine(location), site, { key, origin: this.trace.processes.origin(this.running as Ordinal) })
  }

  /** The step now running removes all keys of an order location, without looking at them. */
  clear(location: LocationId, site: SiteId = 0): void {
    this.expect('in a step', 'clear')
    this.#told.clear(inEngine(location), site)
  }

  /** The step now running removes a key, if it is there. */
  remove(location: LocationId, site: SiteId, key: unknown): void {
    this.expect('in a step', 'remove')
    this.#told.remove(inEngine(location), site, key)
  }

  /** After the last step and before `finish`: somebody, such as an assertion, looks at the location. */
  look(location: LocationId, look: Look = 'value'): void {
    this.expect('between steps', 'look')
    const { observation } = this.trace
    if (observation.rules.finalLooks && observation.isNeeded) observation.look(inEngine(location), lookBits(look))
  }

  /** Whether every change of the location is a write. */
  isOrdered(location: LocationId): boolean {
    return this.trace.observation.ordered.hasValue(inEngine(location))
  }

  /** From now on the location is ordered: somebody may look at it of whom the search knows nothing, such as who waits for a condition. */
  order(location: LocationId): void {
    const { rules } = this.trace.observation
    if (this.phase !== 'ended' && rules.conditions) this.trace.observation.ordered.add(inEngine(location))
  }

  /** Number of the step now running, or of the next one: from 0 within the execution. */
  get step(): number {
    return this.trace.steps.count
  }

  /** Whether one step happens before another, by their numbers. Both have ended. */
  isBefore(first: number, second: number): boolean {
    return this.trace.happensBefore(first, second)
  }

  /** The step now running was enabled by the last write of the location: ordered after it, never a race. */
  wait(location: LocationId, site: SiteId = 0): void {
    this.expect('in a step', 'wait')
    this.trace.footprint.wait(inEngine(location), site)
  }

  /** Whether the location was changed after that step, by whomever. */
  hasChanged(location: LocationId, since: number): boolean {
    return this.trace.hasChanged(inEngine(location), since)
  }

  /**
   * The step now running was not enabled before one of the locations told by this call had changed since that step, one of its
   * process that looked at it: it would have repeated what its process had done. It looks at all of them.
   */
  awaitChange(location: LocationId, since: number, look: Look = 'value'): void {
    this.expect('in a step', 'awaitChange')
    this.trace.footprint.awaitChange(inEngine(location), { since, looks: lookBits(look) })
  }

  /** The step now running was enabled by the end of that process: ordered after its last step, never a race. */
  join(process: ProcessId): void {
    this.expect('in a step', 'join')
    this.trace.footprint.join(this.trace.processes.ordinal(process))
  }

  /** Nothing else could run before the step now running: it comes after all steps with lower numbers than this, and never races with them. */
  followAll(step: number): void {
    this.expect('in a step', 'followAll')
    this.trace.followAll(step)
  }

  /** The step now running takes a lock, which is all it does. */
  acquire(location: LocationId): void {
    this.expect('in a step', 'acquire')
    this.trace.footprint.special(inEngine(location), ACQUIRE)
  }

  /** The step now running gives a lock back, which is all it does. */
  release(location: LocationId): void {
    this.expect('in a step', 'release')
    this.trace.footprint.special(inEngine(location), RELEASE)
  }

  /** The step now running is a read that is enabled only while a predicate of the location holds; all it does. */
  until(location: LocationId, holdsBefore: HoldsBefore): void {
    this.expect('in a step', 'until')
    this.order(location)
    this.trace.until(inEngine(location), holdsBefore)
  }

  /**
   * The step now running read or wrote a value with this hash (`hashValue`): when the step is taken again it has to see the
   * same values in the same order. Optional, after each access.
   */
  saw(hash: number): void {
    this.trace.footprint.saw(hash)
  }

  /** Everything so far happens before everything later: virtual time advanced because nothing else could run. */
  barrier(): void {
    this.expect('between steps', 'barrier')
    this.trace.barrier()
  }

  protected expect(phase: Phase, call: string): void {
    if (this.phase !== phase) throw new EngineError(`${call} was called ${this.phase}, not ${phase}`)
  }
}
