import { Math } from '../../engine/intrinsics.ts'
import type { MysqlOptions, PostgresOptions, RedisOptions } from '../../options/index.ts'
import { Alarm } from '../execution/alarm.ts'
import type { Execution } from '../execution/execution.ts'
import { afterMacrotask, NativePromise } from '../execution/native.ts'
import { PerExecution } from '../execution/per-execution.ts'
import type { Asked, OpenLine } from './asked.ts'
import { Deadlocks } from './deadlocks.ts'
import { forItself, OwnQuestionError, takingBack } from './own-question.ts'
import { littlePatience, patience, settlesWithin } from './patience.ts'
import { Rivals } from './rivals.ts'
import { ToldWaits } from './told-waits.ts'

/** What is to be done about servers in one exploration, for which this object stands. */
export interface ServerOptions {
  readonly postgres?: PostgresOptions | undefined
  readonly mysql?: MysqlOptions | undefined
  readonly redis?: RedisOptions | undefined
}

let optionsNow: ServerOptions = {}

/** These hold for the execution that begins. */
export function beginAtServers(options: ServerOptions): void {
  optionsNow = options
}

/** Puts back what an execution has changed. Returns what could not be. `mayBeStuck`: some server has not answered in time; one that does not answer is asked to change nothing, as it would do so whenever it goes on. */
export type PutBack = (state: { readonly mayBeStuck: boolean }) => Promise<readonly string[]>

type ComeBack = (rest: () => void) => void

/** What one execution has asked of servers, and has no answer to: those that wait there for what others hold. */
export class Servers {
  readonly #execution: Execution
  #heldUp: Asked[] = []
  /** Of those: by which lines. */
  readonly #holders = new Map<Asked, readonly OpenLine[]>()
  /** Of those: the server has them no more, since these came first. */
  readonly #takenBack = new Map<Asked, Asked>()
  readonly #rivals = new Rivals((asked) => ({ answeredAt: asked.answeredAt, hasFailed: asked.answer !== undefined && 'error' in asked.answer, holders: this.#holders.get(asked) ?? [] }))
  readonly #toldWaits = new ToldWaits()
  readonly #deadlocks: Deadlocks
  /** It is prepared or sent, and neither answered nor held up so far. */
  #sent: Asked | undefined
  /** What has to be done before that can be sent. */
  #preparing: Promise<void> | undefined
  readonly #late = new Alarm()
  /** Nobody goes on. */
  #isBrokenOff = false
  #isOver = false
  #hasEnded = false
  /** Some server has not answered in time. */
  #isStuck = false
  /** What was neither answered nor held up when the explored part was given up. */
  #unanswered: string | undefined
  /** What ends what the execution has left open: of the explored part, and of what is around it. */
  #ends: { readonly isOfBody: boolean; readonly end: () => Promise<void> }[] = []

  /** Why a connection of the body was lost. */
  lost: string | undefined

  readonly #putBack = new Set<PutBack>()
  #unexplored: string | undefined
  readonly options = optionsNow

  constructor(execution: Execution) {
    this.#execution = execution
    this.#deadlocks = new Deadlocks(execution, {
      heldUp: () => this.#heldUp,
      holdersOf: (asked) => this.#holders.get(asked) ?? [],
      giveUp: (asked) => execution.goOutside((comeBack) => void this.giveUp(asked, comeBack)),
    })
  }

  /** Sends it, and comes back once it is answered or held up; with it come those that were held up, and are so no more. What was given up before it was sent never is. */
  send(asked: Asked, { prepare, comeBack: goesOn }: { readonly prepare: (() => Promise<void>) | undefined; readonly comeBack: ComeBack }): void {
    const comeBack = this.#unlessBrokenOff(goesOn)
    this.#sent = asked
    if (prepare || this.#hasRival(asked)) return void this.#sendPrepared(asked, { prepare, comeBack })
    this.#give(asked)
    if (asked.question.mayWait?.() === true) return void this.#settle(asked, comeBack)
    // Nearly always it is answered before anybody has to ask why it is not.
    let isDue = true
    const isTime = (): void => {
      if (!isDue) return
      isDue = false
      this.#late.unset()
      if (asked.answer === undefined || this.#heldUp.length > 0) void this.#settle(asked, comeBack)
      else comeBack(() => this.#rest(asked))
    }
    asked.whenAnswered(isTime)
    this.#late.set(usual, isTime)
  }

  #hasRival({ question }: Asked): boolean {
    return this.#heldUp.some((held) => held.answer === undefined && question.rivalryWith?.(held.question) !== undefined)
  }

  #give(asked: Asked): void {
    try {
      asked.send()
    } catch (error) {
      this.#goesWrong(asked, error)
    }
  }

  async #sendPrepared(asked: Asked, { prepare, comeBack }: { readonly prepare: (() => Promise<void>) | undefined; readonly comeBack: ComeBack }): Promise<void> {
    if (prepare && !(await this.#isPrepared(asked, prepare))) return comeBack(() => this.#failed(asked))
    try {
      if (this.#hasRival(asked)) await forItself(takingBack, async () => asked.question.makeRevocable?.())
    } catch (error) {
      this.#goesWrong(asked, error)
      return comeBack(() => this.#rest(asked))
    }
    if (asked.answer !== undefined) return
    this.#give(asked)
    if (asked.question.mayWait?.() !== true) await asked.answeredWithin(usual)
    return this.#settle(asked, comeBack)
  }

  /** It was sent, and is answered or due: until it is known who waits. */
  async #settle(asked: Asked, comeBack: ComeBack): Promise<void> {
    try {
      await this.#follow(asked, { isDueNow: true })
      if (asked.answer === undefined) await this.#takeBackOneOf(asked)
      if (asked.answer === undefined || letsGo(asked)) await this.#lookAgain(asked)
      this.#rivals.check()
      if (asked.answer !== undefined && letsGo(asked)) await this.#sendAgain()
      this.#rivals.check()
    } catch (error) {
      this.#goesWrong(asked, error)
    }
    comeBack(() => this.#rest(asked))
  }

  #unlessBrokenOff(comeBack: ComeBack): ComeBack {
    return (rest) => {
      if (!this.#isBrokenOff) comeBack(rest)
    }
  }

  /** What fails that nobody but vitest-dpor has asked is no answer: nothing goes on. */
  #goesWrong(asked: Asked, error: unknown): void {
    if (!(error instanceof OwnQuestionError) || error.isLost) {
      asked.answer ??= { error }
      if (error instanceof OwnQuestionError) this.lost ??= error.reason
      return
    }
    this.#isBrokenOff = true
    this.#execution.breakOff(`it asks a server '${textOf(asked)}', and what vitest-dpor has to ask that for itself, to ${error.purpose.to}, has failed: ${error.reason}`, error.purpose.advice, asked.site)
  }

  async #isPrepared(asked: Asked, prepare: () => Promise<void>): Promise<boolean> {
    this.#preparing = prepare()
    await this.#preparing.catch((error: unknown) => this.#goesWrong(asked, error))
    this.#preparing = undefined
    return asked.answer === undefined && !this.#isBrokenOff
  }

  /** It was never sent. */
  #failed(asked: Asked): void {
    this.#sent = undefined
    asked.end()
  }

  /** Gives one up that is held up. */
  async giveUp(asked: Asked, goesOn: ComeBack): Promise<void> {
    const comeBack = this.#unlessBrokenOff(goesOn)
    this.#rivals.givesUp(asked)
    try {
      await this.#cancel(asked)
      await this.#lookAgain()
      this.#rivals.check()
      await this.#sendAgain()
      this.#rivals.check()
    } catch (error) {
      this.#goesWrong(asked, error)
    }
    comeBack(() => this.#rest(undefined))
  }

  /** @param by who may have let go of something */
  async #lookAgain(by?: Asked): Promise<void> {
    for (let freed = 1; freed > 0; ) {
      freed = 0
      for (const held of this.#heldUp) {
        if (held.answer !== undefined || this.#takenBack.has(held)) continue
        await this.#follow(held, { isDueNow: !this.#isFreedBy(held, by) })
        if (held.answer !== undefined) freed++
      }
    }
    // Only now is it known for all of them what they wait for.
    for (const held of this.#heldUp) if (held.answer === undefined && !this.#takenBack.has(held)) await this.#takeBackOneOf(held)
  }

  /** Whether its answer is about to come: nobody else holds it up, or waits with it. */
  #isFreedBy(held: Asked, by: Asked | undefined): boolean {
    if (by?.answer === undefined || letGoOf(by) !== 'everything') return false
    return this.#heldUp.every((other) => this.#holders.get(other)!.every((line) => line === by.line) === (other === held))
  }

  /** Sends those that were taken back, one after the other: all others have their answers, or wait. */
  async #sendAgain(): Promise<void> {
    // Some of them are taken back once more.
    const again = [...this.#takenBack]
    for (const [asked, first] of again) {
      this.#takenBack.delete(asked)
      if (asked.answer !== undefined) continue
      if (asked.question.hasBecomeAnother?.()) this.#rivals.isUpToServer({ first, second: asked })
      asked.send()
      await this.#follow(asked, { isDueNow: true })
      if (asked.answer === undefined) await this.#takeBackOneOf(asked)
      else await this.#lookAgain()
    }
  }

  /** Of two that wait for the same the server lets either go on first: the one that came last is taken back, if that can be done, and comes to the same. */
  async #takeBackOneOf(asked: Asked): Promise<void> {
    for (const other of this.#heldUp) {
      if (other === asked || other.answer !== undefined || this.#takenBack.has(other) || !this.#waitForTheSame(asked, other)) continue
      const rivalry = asked.question.rivalryWith?.(other.question)
      if (!rivalry) continue
      const [first, second] = asked.sentAt < other.sentAt ? [asked, other] : [other, asked]
      if (rivalry !== 'unequal' && (await forItself(takingBack, async () => second.question.takeBack?.()))) this.#takenBack.set(second, first)
      else this.#rivals.add({ first, second, rivalry })
      if (asked.answer !== undefined || this.#takenBack.has(asked)) return
    }
  }

  /** One may be behind the other, in a queue for what a third one holds. */
  #waitForTheSame(one: Asked, other: Asked): boolean {
    const [holders, others] = [this.#holders.get(one)!, this.#holders.get(other)!]
    const [isBehind, isBefore] = [holders.includes(other.line), others.includes(one.line)]
    return isBehind && isBefore ? false : isBehind || isBefore || others.some((line) => holders.includes(line))
  }

  /** Until it is answered, or the server says that it is held up: time decides nothing. */
  async #follow(asked: Asked, { isDueNow }: { readonly isDueNow: boolean }): Promise<void> {
    if (!isDueNow) await asked.answeredWithin(usual)
    for (let pause = 0; asked.answer === undefined; pause = nextPause(pause)) {
      const holders = (await asked.unlessAnswered(asked.question.heldUpBy?.())) ?? []
      if (asked.answer !== undefined) return
      this.#holders.set(asked, holders as readonly OpenLine[])
      if (holders.length > 0) return
      await (pause === 0 ? turn() : asked.answeredWithin(pause))
    }
  }

  /** The rest of the step. */
  #rest(asked: Asked | undefined): void {
    this.#sent = undefined
    const ended = this.#heldUp.filter(({ answer }) => answer !== undefined)
    this.#heldUp = this.#heldUp.filter(({ answer }) => answer === undefined)
    for (const one of ended) this.#holders.delete(one)
    const lets = asked?.answer !== undefined && letsGo(asked)
    if (asked && asked.answer === undefined) {
      asked.isKeptWaiting()
      this.#heldUp.push(asked)
    } else asked?.end()
    // What was asked decides whether it waits, or lets go.
    const come = { waiting: new Map(this.#heldUp.map((one) => [one, this.#holders.get(one) ?? []])), by: lets || asked?.answer === undefined ? asked : undefined }
    this.#toldWaits.look(this.#execution, come)
    for (const one of ended) one.end()
    this.#toldWaits.tell(this.#execution, come)
    if (this.#heldUp.length > 0) this.#deadlocks.look()
  }

  /** Something comes to pass that is not explored. */
  isUnexplored(reason: string): void {
    this.#unexplored ??= reason
  }

  /** What the server alone has decided, or nobody explores, so that not all is explored. */
  get undecided(): string | undefined {
    return this.#rivals.undecided ?? this.#unexplored
  }

  /** The first one counts. */
  losesConnection(error: unknown): void {
    this.lost ??= String((error as Error).message)
  }

  /** Calls back when what was opened just now has to end. */
  whenOver(end: () => Promise<void>): void {
    if (this.#isOver) return void end()
    this.#ends.push({ isOfBody: this.#execution.accesses.isExploring, end })
  }

  /** What nobody has an answer to. */
  get unanswered(): string | undefined {
    return this.#unanswered ?? (this.#sent && textOf(this.#sent))
  }

  /** Nothing of the explored part goes on: what waits is given up, and what is open ends. No step runs. */
  async endBody(): Promise<void> {
    const open = [...(this.#sent ? [this.#sent] : []), ...this.#heldUp]
    this.#unanswered = this.unanswered
    this.#sent = undefined
    this.#heldUp = []
    for (const asked of open) {
      await this.#cancel(asked).catch(() => {})
      asked.drop()
    }
    await this.#end(({ isOfBody }) => isOfBody)
    // It may have waited for a connection that only now is free.
    if (this.#preparing) await this.#inTime(this.#preparing)
  }

  /** Calls back after all that was opened has ended. One that is given again is called once. */
  whenAllOver(putBack: PutBack): void {
    this.#putBack.add(putBack)
  }

  get hasChangedRows(): boolean {
    return this.#putBack.size > 0
  }

  /** Nobody asks anything any more for this execution. */
  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** The execution is over. Returns what could not be put back. */
  async end({ leavesRows }: { readonly leavesRows: boolean }): Promise<readonly string[]> {
    await this.endBody()
    this.#isOver = true
    this.#late.end()
    await this.#end(() => true)
    const lost: string[] = []
    if (!leavesRows) for (const putBack of this.#putBack) lost.push(...(await putBack({ mayBeStuck: this.#isStuck })))
    this.#hasEnded = true
    return lost
  }

  async #end(isMeant: (one: { readonly isOfBody: boolean }) => boolean): Promise<void> {
    const ending = this.#ends.filter(isMeant)
    this.#ends = this.#ends.filter((one) => !isMeant(one))
    for (const { end } of ending) await this.#inTime(end())
  }

  async #cancel(asked: Asked): Promise<void> {
    if (asked.answer !== undefined) return
    if (asked.sentAt === 0) return void (asked.answer = { error: new Error(`vitest-dpor: '${asked.question.name}' was given up before it was sent`) })
    // A server that has not begun with it takes no notice.
    for (let pause = shortest, left = this.#patience; left > 0; left -= pause, pause = Math.min(2 * pause, left)) {
      const answered = asked.answeredWithin(pause)
      const given = asked.question.cancel?.().then(() => answered)
      await (given ? NativePromise.race([answered, given]) : answered)
      if (asked.answer !== undefined) return
    }
    this.#isStuck = true
    asked.answer = { error: new Error(`vitest-dpor: the server goes on with what it was asked by '${asked.question.name}', and does not give it up`) }
  }

  async #inTime(work: Promise<unknown>): Promise<void> {
    if (!(await settlesWithin(this.#patience, work))) this.#isStuck = true
  }

  /** All that one server does not answer is not waited for one after the other; where a connection was lost it may be that of what waits. */
  get #patience(): number {
    return this.#isStuck || this.lost !== undefined ? littlePatience : patience
  }
}

const letGoOf = ({ question, answer }: Asked): 'nothing' | 'perhaps something' | 'everything' => question.letsGoOf?.(answer!) ?? 'perhaps something'

const letsGo = (asked: Asked): boolean => letGoOf(asked) !== 'nothing'

/** For a reader: not all of a value that is long. */
function textOf({ question: { shown, name } }: Asked): string {
  const text = shown ?? name
  return text.length > longest ? `${text.slice(0, longest)}...` : text
}

const longest = 120

/** Real milliseconds after which a server is told again to give something up. */
const shortest = 50

/** Real milliseconds in which most answers come: until then nobody asks what keeps one from coming. */
const usual = 20

/** Real milliseconds between two questions about what keeps an answer from coming: who asks all the time keeps it from coming as well. */
const nextPause = (pause: number): number => (pause < usual ? pause + 1 : usual)

const servers = new PerExecution((execution) => new Servers(execution))

export const serversOf = (execution: Execution): Servers => servers.of(execution)

/** What an execution has asked of a server, and has no answer to. */
export const unansweredAtServers = (execution: Execution): string | undefined => servers.known(execution)?.unanswered

/** What servers alone have decided in an execution. */
export const undecidedAtServers = (execution: Execution): string | undefined => servers.known(execution)?.undecided

/** Why the execution has lost a connection to a server, if it has. */
export const lostAtServers = (execution: Execution): string | undefined => servers.known(execution)?.lost

/** Ends what the explored part of an execution has left open at servers: what comes after it must not wait for that. */
export async function endBodyAtServers(execution: Execution): Promise<void> {
  await servers.known(execution)?.endBody()
}

/** Ends all that an execution has left open at servers, and puts back what it has changed there, unless that is to stay. Returns what could not be put back. */
export async function endAtServers(execution: Execution, { leavesRows }: { readonly leavesRows: boolean }): Promise<readonly string[]> {
  return (await servers.known(execution)?.end({ leavesRows })) ?? []
}

/** Whether an execution may have changed what is put back after it. */
export const hasChangedRows = (execution: Execution): boolean => servers.known(execution)?.hasChangedRows ?? false

const turn = (): Promise<void> => new Promise<void>(afterMacrotask)
