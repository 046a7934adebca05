import { isTold } from './accesses.ts'
import { callsAround } from './calls-around.ts'
import type { InputRecording, InputStep } from './input.ts'

/** Where a process comes from. */
export interface Birth {
  /** The step that created it. */
  readonly step: number
  /** Whose step that was, or whose call within it. */
  readonly parent: number
  /** The access that comes first after it, as far as that is known. */
  readonly index?: number
}

/** Which processes come from which: what a callback or a call does later, it does for whoever has begun it. */
export class Descent {
  readonly #births = new Map<number, Birth>()
  readonly #calls: NonNullable<InputRecording['calls']>
  readonly #begunBy: NonNullable<InputRecording['begunBy']>

  constructor({ steps, order, calledBy, calls = [], begunBy = [] }: Pick<InputRecording, 'steps' | 'order' | 'calledBy' | 'calls' | 'begunBy'>) {
    this.#calls = calls
    this.#begunBy = begunBy
    const firsts = [0]
    for (const { accesses } of steps) firsts.push(firsts.at(-1)! + accesses.filter(isTold).length)
    for (const [index, { after }] of order.steps.entries()) {
      const { process } = steps[index]!
      const spawn = after.find(({ reason }) => reason === 'spawn')
      if (!spawn || this.#births.has(process)) continue
      const { step } = spawn
      const before = accessesBefore(steps[step]!, process)
      this.#births.set(process, { step, parent: this.#parentOf(process, steps[step]!.process, calledBy?.[process]), ...(before !== undefined && { index: firsts[step]! + before }) })
    }
  }

  /** Where a step is an event, a caller from which that comes goes on with what it has brought; or with what it had before, where the event only wakes it. */
  #parentOf(process: number, ran: number, caller = ran): number {
    if (!this.isFrom(ran, caller)) return caller
    // Of what came by JSON, null stands for undefined.
    const [begun, other] = [this.#begunBy[process] ?? undefined, this.#begunBy[ran] ?? undefined]
    if (begun === undefined || other === undefined) return ran
    const [own, theirs] = [callsAround(begun, this.#calls), callsAround(other, this.#calls)]
    if (own.has(other) || theirs.has(begun)) return ran
    const isOfLine = (call: number | undefined): boolean => call !== undefined && own.has(call) && !theirs.has(call)
    return [...this.#births.keys()].findLast((one) => isOfLine(this.#begunBy[one])) ?? ran
  }

  birthOf(process: number): Birth | undefined {
    return this.#births.get(process)
  }

  /** Whether it is the other one, or comes from it. */
  isFrom(process: number, other: number): boolean {
    return process === other || this.ancestorsOf(process).some(({ parent }) => parent === other)
  }

  /** The births of the process, of its parent and so on, up to that which has a part in what the other one comes from. */
  *apartFrom(process: number, other: number): Generator<Birth> {
    for (const birth of this.ancestorsOf(process)) {
      if (this.isFrom(other, birth.parent)) return
      yield birth
    }
  }

  /** Of what the process comes from, the outermost with which the other one has nothing to do. */
  outermost(process: number, other: number): number {
    return [...this.apartFrom(process, other)].at(-1)?.parent ?? process
  }

  /** The births in one step by which the two come from one process, if they do. */
  branches(process: number, other: number): readonly [Birth, Birth] | undefined {
    const one = this.ancestorsOf(process).find(({ parent }) => this.isFrom(other, parent))
    const two = one && this.ancestorsOf(other).find(({ parent }) => parent === one.parent)
    return one && two?.step === one.step ? [one, two] : undefined
  }

  /** The births of the process, of its parent and so on. */
  ancestorsOf(process: number): Birth[] {
    const births: Birth[] = []
    for (let birth = this.#births.get(process); birth && births.length < this.#births.size; birth = this.#births.get(birth.parent)) births.push(birth)
    return births
  }
}

/** How many accesses of the step that are told came before it created the process. */
function accessesBefore({ accesses, spawned, spawnedAfter }: InputStep, process: number): number | undefined {
  const count = spawnedAfter?.[spawned.indexOf(process)]
  return count === undefined ? undefined : accesses.slice(0, count).filter(isTold).length
}
