import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import type { ObjectId } from '../execution/identity.ts'
import { FIRED, SETTLED } from '../execution/keys.ts'
import type { Call, Continuation, Process } from '../execution/process.ts'
import { running } from '../execution/running.ts'
import { Turn } from '../execution/turns.ts'

/** One timer of a fake clock: a process whose steps are the calls of its callback, where nobody calls it within a step of his own. */
export class FakeTimer implements Continuation {
  readonly queue = 'turns'
  readonly site: SiteId
  process: Process
  turn: Turn | undefined
  readonly #place: Turn
  readonly #execution: Execution
  /** Its name, the same in every execution. */
  readonly object: ObjectId
  readonly #fire: () => void

  /** @param fire calls it, if it is still to be called */
  constructor(execution: Execution, name: string, fire: () => void) {
    this.#execution = execution
    this.#place = new Turn(execution, [])
    this.site = execution.call?.site ?? 0
    this.#fire = fire
    this.object = execution.identities.fresh()
    this.process = execution.processes.spawn(name)
    execution.recorder?.owners.tell(this.object, () => `timer ${this.process.name}`)
  }

  /** It is called, cleared or set anew: races with whoever does the same. */
  changes(how: string): void {
    if (running === this.#execution) running.accesses.write(this.object, FIRED, running.call?.site ?? this.site, how)
  }

  /** It can be called from now on, behind those of one moment that were set before it. */
  isDue(others: readonly FakeTimer[]): void {
    this.turn = this.#place.again(this.#execution, others.map(({ turn }) => turn!))
    this.#execution.accesses.settle(this.object, SETTLED, this.site)
    this.#execution.wake(this)
  }

  resume(): void {
    const { accesses } = this.#execution
    accesses.wait(this.object, SETTLED, this.site)
    accesses.read(this.object, FIRED, this.site, 'due')
    this.#fire()
  }

  delegate(): Call | undefined {
    return undefined
  }
}
