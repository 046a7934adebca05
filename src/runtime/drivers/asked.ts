import type { SiteId } from '../../engine/ids.ts'
import { processOfAnswer } from '../events/answers.ts'
import { cellOf } from '../events/promise-cell.ts'
import type { Execution } from '../execution/execution.ts'
import type { ObjectId } from '../execution/identity.ts'
import { NativePromise, nativeClearTimeout, nativeSetTimeout } from '../execution/native.ts'
import type { Call, Continuation, Process } from '../execution/process.ts'
import { running } from '../execution/running.ts'
import { deferred } from '../promises/capability.ts'
import type { Answer, Line, Question } from './question.ts'
import { serversOf } from './servers.ts'

/** What hears of the answer. */
type Hear = (answer: Answer) => void

/** A line, and who waits for their turn on it. */
export class OpenLine implements Line {
  readonly connection: object
  /** Its location: of two who ask by one line the first is answered first. */
  readonly object: ObjectId
  readonly waiting: Asked[] = []
  /** The step that had the last answer has this, or the one that has opened it. */
  turn: ObjectId | undefined
  /** What whoever asks is answered in its place: nobody gives it to them. */
  refusal: Error | undefined
  #isOpen: boolean

  constructor(connection: object, object: ObjectId, { isOpen = true } = {}) {
    this.connection = connection
    this.object = object
    this.#isOpen = isOpen
  }

  /** The running step lets those go on who wait for it. */
  open(turn: ObjectId): void {
    this.turn = turn
    this.#isOpen = true
    if (running) this.wakeFirst(running)
  }

  /** The running step lets those know who wait for it that they do so in vain. */
  refuse(refusal: Error, turn: ObjectId): void {
    this.refusal = refusal
    this.open(turn)
  }

  /** Nobody goes on until it is opened again. */
  close(): void {
    this.#isOpen = false
  }

  wakeFirst(execution: Execution): void {
    const [first] = this.waiting
    if (this.#isOpen && first?.process) execution.wake(first)
  }
}

/** Processes that wait for an answer. */
const asking = new WeakSet<Process>()

let moments = 0

/** A question that was asked in a step: a process, which takes a step to send it, and where the platform has it so another one to hear of the answer. */
export class Asked implements Continuation {
  readonly queue = 'turns'
  process: Process | undefined
  readonly site: SiteId
  readonly line: OpenLine
  readonly question: Question
  readonly #execution: Execution
  readonly #hear: Hear
  /** Whoever hears of it does so in a step of its own. */
  readonly #hearsLater: boolean
  answer: Answer | undefined
  /** When it was sent, and when it was answered: counted, for all that are asked. */
  sentAt = 0
  answeredAt: number | undefined
  /** Who waits for the answer: several may. */
  #hearing: Set<() => void> | undefined
  #isDropped = false
  /** Whose question it is, as far as a reader has to know. */
  #asksFor: Process | undefined
  /** The call whose code has asked. */
  #call: Call | null = null
  /** The step that has ended it has this. */
  #endTurn: ObjectId | undefined

  constructor(execution: Execution, { line, question, site, hear, hearsLater }: { line: OpenLine; question: Question; site: SiteId; hear: Hear; hearsLater: boolean }) {
    this.#execution = execution
    this.line = line
    this.question = question
    this.site = site
    this.#hear = hear
    this.#hearsLater = hearsLater
  }

  /** The running step asks. */
  ask(): void {
    const { call } = this.#execution
    this.#call = call
    this.#execution.events?.meets(this.question.name)
    // What is asked again and again may be answered in another way each time.
    this.#execution.accesses.loop?.hasEffect()
    this.line.waiting.push(this)
    this.#execution.accesses.takeTurn(this.line.object)
    // Only then is it known who waits for whom.
    if (this.#execution.events) this.#execution.atStepEnd(() => this.#goOnAs(processOfAnswer(this.#execution, call)))
    else this.#execution.atProcessesKnown(() => this.#goOnAs(this.#spawn(call)))
  }

  #goOnAs(process: Process): void {
    this.process = process
    if (this.line.waiting[0] === this) this.line.wakeFirst(this.#execution)
  }

  /** To a reader it is the call that has asked, unless that has asked for something else meanwhile. */
  #spawn(call: Call | null): Process {
    let line: Call | undefined = call ?? undefined
    while (line && line.process === undefined) line = line.caller
    if (!line?.process || asking.has(line.process)) return this.#execution.processes.spawn(this.question.name)
    this.#asksFor = line.process
    asking.add(line.process)
    return this.#execution.processes.spawnFor(line.process)
  }

  resume(): void {
    const execution = this.#execution
    execution.enter(null)
    if (this.#endTurn !== undefined) {
      // The step that has ended it may be another process's.
      execution.accesses.followTurn(this.#endTurn)
      return this.#hear(this.answer!)
    }
    if (this.line.turn !== undefined) execution.accesses.followTurn(this.line.turn)
    if (this.line.refusal) {
      this.answer = { error: this.line.refusal }
      return this.#finish()
    }
    const prepare = this.question.prepare?.(this.site)
    // Within one absence: what comes back twice would have other names for what it makes.
    execution.goOutside((comeBack) => serversOf(execution).send(this, { prepare, comeBack }))
  }

  /** No step runs. */
  send(): void {
    this.sentAt = ++moments
    this.question.send((answer) => {
      if (this.#isDropped) return this.question.giveBack?.(answer)
      this.answeredAt ??= ++moments
      this.answer ??= answer
      const hearing = this.#hearing
      this.#hearing = undefined
      if (hearing) for (const heard of hearing) heard()
    })
  }

  /** Nobody hears of its answer any more. */
  drop(): void {
    this.#isDropped = true
    this.question.giveBack?.(this.answer!)
  }

  /** Calls back when it is answered, or at once if it is. */
  whenAnswered(callBack: () => void): void {
    if (this.answer === undefined) (this.#hearing ??= new Set()).add(callBack)
    else callBack()
  }

  /** Settled when it is answered, at the latest after so many real milliseconds. */
  answeredWithin(milliseconds: number): Promise<void> {
    return new NativePromise((resolve) => {
      if (this.answer !== undefined) return resolve()
      const heard = (): void => {
        nativeClearTimeout(timer)
        resolve()
      }
      const timer = nativeSetTimeout(() => {
        this.#hearing?.delete(heard)
        resolve()
      }, milliseconds)
      this.whenAnswered(heard)
    })
  }

  /** What is found out meanwhile; undefined if the answer comes first. */
  unlessAnswered<T>(found: Promise<T> | undefined): Promise<T | undefined> {
    return new NativePromise((resolve, reject) => {
      if (found === undefined || this.answer !== undefined) return resolve(undefined)
      const heard = (): void => resolve(undefined)
      this.whenAnswered(heard)
      const isFound = (): void => void this.#hearing?.delete(heard)
      found.then(isFound, isFound)
      found.then(resolve, reject)
    })
  }

  /** The server has it, and keeps it waiting. */
  isKeptWaiting(): void {
    const execution = this.#execution
    this.#tell(undefined)
    this.question.waits?.(execution, () => {
      if (this.answer === undefined) execution.goOutside((comeBack) => void serversOf(execution).giveUp(this, comeBack))
    })
  }

  /** What it has waited for is there, or it goes on waiting. */
  waitsOn(): void {
    this.question.tellWaiting?.(this.#execution, this.site)
  }

  #tell(answer: Answer | undefined): void {
    const { recorder } = this.#execution
    // The step that ends it may be another process's, which a reader must not take it for.
    if (recorder && this.process) recorder.call = { name: this.question.name, process: this.process, caller: this.#call ?? undefined, site: 0 }
    this.question.tell(this.#execution, this.site, answer)
    recorder?.endAnswer()
  }

  /** The running step has its answer. */
  end(): void {
    this.#tell(this.answer)
    this.#finish()
  }

  #finish(): void {
    const execution = this.#execution
    this.answer = this.question.end?.(execution, this.answer!, this.site) ?? this.answer!
    if (this.#asksFor) asking.delete(this.#asksFor)
    const { line } = this
    this.#endTurn = line.turn = execution.identities.fresh()
    execution.accesses.takeTurn(line.turn)
    line.waiting.shift()
    line.wakeFirst(execution)
    if (this.#hearsLater) execution.wake(this)
    else this.#hear(this.answer)
  }

  delegate(): undefined {
    return undefined
  }
}

/** A promise of an answer, and what asks for that in the running step. */
export interface Promised {
  readonly promise: Promise<unknown>
  ask(line: OpenLine, question: Question): void
  /** In the place of that: in a step. */
  settle(answer: Answer): void
}

/** Asks in the running step; returns the promise of the answer. */
export function askForPromise(execution: Execution, line: OpenLine, question: Question, site: SiteId): Promise<unknown> {
  const { promise, ask } = promised(execution, site)
  ask(line, question)
  return promise
}

/** A promise of the running step, for what is asked in that or in a later one. */
export function promised(execution: Execution, site: SiteId): Promised {
  if (!execution.events) {
    const { promise, resolve, reject } = deferred(execution, site)
    const hear = settles(resolve, reject)
    return { promise, ask: (line, question) => new Asked(execution, { line, question, site, hearsLater: false, hear }).ask(), settle: hear }
  }
  let hear!: Hear
  const promise = new NativePromise((resolve, reject) => (hear = settles(resolve, reject)))
  const cell = cellOf(execution, promise)
  if (cell) {
    cell.isControlled = true
    cell.site = site
    cell.heardByCaller()
  }
  return { promise, ask: (line, question) => new Asked(execution, { line, question, site, hearsLater: true, hear }).ask(), settle: hear }
}

const settles = (resolve: (value: unknown) => void, reject: (error: unknown) => void): Hear => (answer) => ('error' in answer ? reject(answer.error) : resolve(answer.value))

/** The same with a callback, which is called in a step of its own. */
export function askWithCallback(execution: Execution, line: OpenLine, question: Question, { site, hear }: { readonly site: SiteId; readonly hear: Hear }): void {
  const tell: Hear = (answer) => {
    try {
      hear(answer)
    } catch (error) {
      running!.uncaught(error)
    }
  }
  new Asked(execution, { line, question, site, hearsLater: true, hear: tell }).ask()
}
