import type { SiteId } from '../../engine/ids.ts'
import type { Accesses } from './accesses.ts'
import type { Identities } from './identity.ts'
import { Loop, type LoopSearch } from './loops.ts'
import type { Call, Process } from './process.ts'

/** The loops of one execution that may wait by asking again, and which of them the running step is of. */
export class RunningLoops {
  readonly #accesses: Accesses
  readonly #identities: Identities
  readonly #search: LoopSearch
  readonly #now: () => number
  /** Those that were tested in this execution. */
  #all: Set<Loop> | undefined
  /** Those of which the running step has come to the first await of an iteration. */
  #awaiting: Loop[] = []
  /** It keeps the running event from ending. */
  endless: Loop | undefined

  constructor({ accesses, identities, search, now }: { readonly accesses: Accesses; readonly identities: Identities; readonly search: LoopSearch; readonly now: () => number }) {
    this.#accesses = accesses
    this.#identities = identities
    this.#search = search
    this.#now = now
  }

  /** From here on the code of this loop runs. */
  runs(loop: Loop | undefined): void {
    this.#accesses.loop = loop
    this.#identities.births = loop?.own
  }

  /** A loop of the call is tested, in which it awaits. */
  tests(call: Call, { process, site, carried }: { readonly process: Process; readonly site: SiteId; readonly carried: readonly unknown[] }): void {
    let { loop } = call
    if (loop?.site === site) loop.again(carried)
    else {
      this.#accesses.loop?.hasEffect()
      loop = call.loop = new Loop(call, site, { carried, search: this.#search, now: this.#now })
      ;(this.#all ??= new Set()).add(loop)
      if (call.process === process) process.loop = loop
    }
    this.runs(loop)
  }

  /** The call awaits in a step of that process; `others`: for what others have to settle. */
  awaits({ loop }: Call, process: Process, { others }: { readonly others: boolean }): void {
    if (loop === undefined) return
    if (loop.awaits({ others })) this.#awaiting.push(loop)
    if (loop.isEndless) this.endless ??= loop
    this.runs(process.loop)
  }

  stepEnded(): void {
    if (this.#awaiting.length > 0) for (const loop of this.#awaiting.splice(0)) loop.stepEnded()
    this.runs(undefined)
  }

  /** Those that will ask the same again. */
  get circling(): readonly Loop[] {
    if (this.endless) return [this.endless]
    return this.#all === undefined ? none : [...this.#all].filter((loop) => loop.isUnchanged)
  }
}

const none: readonly never[] = []
