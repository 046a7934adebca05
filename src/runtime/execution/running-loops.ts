import type { SiteId } from '../../engine/ids.ts'
import type { Accesses } from './accesses.ts'
import type { Identities } from './identity.ts'
import { Loop, type LoopSearch } from './loops.ts'
import type { Call, Process } from './process.ts'

const none: readonly never[] = []

/** The loops of one execution that may wait by asking again, and which of them the running step is of. */
export class RunningLoops {
  readonly #accesses: Accesses
  readonly #identities: Identities
  readonly #search: LoopSearch
  readonly #now: () => number
  /** Those that were tested in this execution. */
  #all: Set<Loop> | undefined
  /** Those of which the running step has come to the first await of an iteration, perhaps of several in one event. */
  readonly #awaiting = new Set<Loop>()
  /** It keeps the running event from ending. */
  endless: Loop | undefined
  /** What the running step calls back, with what, and the loop by which it sets itself again. */
  #callback: unknown
  #given: readonly unknown[] = none
  #recurs: Loop | undefined
  /** A call that ends with one of its own function, and where that is. */
  #last: { readonly call: Call; readonly site: SiteId } | undefined

  constructor({ accesses, identities, search, now }: { readonly accesses: Accesses; readonly identities: Identities; readonly search: LoopSearch; readonly now: () => number }) {
    this.#accesses = accesses
    this.#identities = identities
    this.#search = search
    this.#now = now
  }

  /** From here on the code of this loop runs. */
  runs(loop: Loop | undefined): void {
    if (loop !== this.#accesses.loop) this.#accesses.beforeRoundEnds?.()
    this.#accesses.loop = loop
    this.#identities.births = loop?.own
  }

  /** A loop of the call is tested, in which it awaits. */
  tests(call: Call, { process, site, carried }: { readonly process: Process; readonly site: SiteId; readonly carried: readonly unknown[] }): void {
    this.#accesses.beforeRoundEnds?.()
    let { loop } = call
    const before = this.#loopBefore(call, site)
    if (before) {
      loop = call.loop = before
      call.takesOver?.(call.caller!)
      loop.goesOnAs(call, carried)
    } else if (loop?.site === site) loop.again(carried)
    else {
      this.#accesses.loop?.hasEffect()
      loop = call.loop = new Loop(call, site, { carried, search: this.#search, now: this.#now })
      ;(this.#all ??= new Set()).add(loop)
      if (call.process === process) process.loop = loop
    }
    this.runs(loop)
  }

  /** The call ends with another one of its function. */
  recurs(call: Call, site: SiteId): void {
    this.#last = { call, site }
  }

  /** The loop with which a call goes on that has just begun. */
  #loopBefore(call: Call, site: SiteId): Loop | undefined {
    const last = this.#last
    this.#last = undefined
    return last !== undefined && last.site === site && last.call === call.caller && last.call.loop?.site === site ? last.call.loop : undefined
  }

  /** The call awaits in a step of that process; `others`: for what others have to settle. */
  awaits({ loop }: Call, process: Process, { others }: { readonly others: boolean }): void {
    if (loop === undefined) return
    this.#accesses.beforeRoundEnds?.()
    if (loop.awaits({ others })) this.#awaiting.add(loop)
    if (loop.isEndless) this.endless ??= loop
    this.runs(process.loop)
  }

  /** A process calls back, as its step: it may be a callback that has set itself again. */
  callsBack(process: Process, callback: unknown, given: readonly unknown[]): void {
    this.#callback = callback
    this.#given = given
    const { loop } = process
    if (loop === undefined || loop.callback !== callback) return
    this.#accesses.beforeRoundEnds?.()
    loop.ends(process)
    loop.again(given)
    this.runs(loop)
  }

  /** The callback of the step is to be called again, by that process. */
  sets(callback: unknown, process: Process, { by, kind, site }: { readonly by: Process; readonly kind: 'at once' | 'timer'; readonly site: SiteId }): void {
    if (callback !== this.#callback || callback === undefined) return
    let { loop } = by
    if (loop?.callback !== callback) {
      loop?.hasEffect()
      loop = new Loop({ name: by.name, process: by }, site, { callback, carried: this.#given, search: this.#search, now: this.#now })
      // What this step has done so far was not looked at.
      loop.hasEffect()
      ;(this.#all ??= new Set()).add(loop)
    }
    // There are more and more of them.
    if (this.#recurs) loop.hasEffect()
    loop.spawns(process, kind)
    process.loop = loop
    this.#recurs = loop
  }

  /** The callback of the step has returned. */
  hasCalledBack(): void {
    const loop = this.#recurs
    this.#callback = undefined
    this.#given = none
    this.#recurs = undefined
    if (loop) this.#accesses.beforeRoundEnds?.()
    if (loop?.awaits({ others: false })) this.#awaiting.add(loop)
  }

  stepEnded(): void {
    if (this.#awaiting.size > 0) {
      for (const loop of this.#awaiting) loop.stepEnded()
      this.#awaiting.clear()
    }
    this.runs(undefined)
  }

  /** Those that will ask the same again. */
  get circling(): readonly Loop[] {
    if (this.endless) return [this.endless]
    return this.#all === undefined ? none : [...this.#all].filter((loop) => loop.isUnchanged)
  }
}

