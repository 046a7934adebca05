import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { nameNew } from '../accesses/new-graphs.ts'
import { tellResource } from '../accesses/resource.ts'
import { readDeep } from '../accesses/whole.ts'
import type { Execution } from '../execution/execution.ts'
import { outsideOnPurpose } from '../execution/outside.ts'
import { PerExecution } from '../execution/per-execution.ts'
import { besideSteps, running } from '../execution/running.ts'
import { askForPromise, OpenLine } from './asked.ts'
import { nameOf } from './names.ts'
import type { Answer, Line, Question } from './question.ts'
import { serversOf, type PutBack } from './servers.ts'

/** One call of a method, as it is asked. */
export interface DriverCall<Client, Args, Value> {
  readonly client: Client
  readonly args: Args
  /** What it was answered; undefined as long as it waits, and of a call that has failed. */
  readonly answer: Value | undefined
}

/** What a call does to one part of the state that is outside, or to all of it. */
export interface DriverAccess {
  readonly kind: 'read' | 'write'
  /** The part, such as the name of a queue, or a key; left out: all that there is. */
  readonly key?: string | number
  /** What is found there, or put there, as a story is to show it. */
  readonly value?: unknown
}

/** How a call waits at the server until somebody does something there. */
export interface DriverWait<Call> {
  /** Whether the server keeps it waiting. Asked while it is not answered, and no step runs: the server has to say so, as time decides nothing. */
  isWaiting(call: Call): Promise<boolean>
  /** Has the server answer it: its time is over, or the execution is. */
  giveUp(call: Call): Promise<unknown>
  /** After how many milliseconds, of virtual time, it is given up; left out: never. */
  milliseconds?(call: Call): number | undefined
}

/** What is known of a method that asks something outside, and returns a promise of the answer. */
export interface DriverMethod<Client, Args, Value> {
  /**
   * What a call looks at and changes there. Called when it is answered, and before that where it waits.
   *
   * WARNING: what is left out nobody finds. Where it is not certain, say that all is written: `[{ kind: 'write' }]`. A change that turns out to be none may be told as a read.
   */
  accesses(call: DriverCall<Client, Args, Value>): readonly DriverAccess[]
  /** For a call that the server may keep waiting, such as one that takes a message once there is one. */
  readonly waits?: DriverWait<DriverCall<Client, Args, Value>>
}

type MethodOf<Client, Property> = Property extends (...args: infer Args) => infer Result ? DriverMethod<Client, Args, Awaited<Result>> : never

/** What {@link defineDriver} is given. */
export interface Driver<Client extends object> {
  /** What a story calls what is outside: `jobs`. Drivers of one name share their state, also with `resource(name)`. */
  readonly name: string
  /** What has the methods: the prototype of a class of clients, or the only client. */
  readonly of: Client
  readonly methods: { readonly [Name in keyof Client]?: MethodOf<Client, Client[Name]> }
  /** Whether what one client asks is answered in the order of the calls, as on one connection. Default: it is. */
  readonly isInOrder?: boolean
  /** Puts back what is outside, after each execution that has called any of the methods: the next one has to find what this one has found. */
  reset?(): unknown
}

/** A method, whatever it takes. */
type Method = (this: object, ...args: unknown[]) => unknown

type AnyMethod = DriverMethod<object, readonly unknown[], unknown>

interface Own {
  readonly name: string
  readonly isInOrder: boolean
  readonly putBack: PutBack | undefined
}

/**
 * Has calls of a client of something outside, such as a message queue, explored: within an exploration each is a step of its own, which is sent when it is its turn,
 * and answered before anything else runs. Outside of explorations the methods do what they always do.
 *
 * Call it once, before the test: in the file of the test, or in a setup file. WARNING: only what these methods do is seen of what is outside.
 */
export function defineDriver<Client extends object>({ name, of, methods, isInOrder = true, reset }: Driver<Client>): void {
  const own: Own = { name, isInOrder, putBack: reset && (() => putBackBy(name, reset)) }
  for (const key of Reflect.ownKeys(methods)) {
    const original: unknown = Reflect.get(of, key)
    if (typeof original !== 'function') throw new TypeError(`vitest-dpor: the driver ${name} is defined with a method ${String(key)} that its clients do not have`)
    if (originals.has(original)) throw new Error(`vitest-dpor: the method ${String(key)} of the driver ${name} is defined already; define a driver once`)
    const value = asking(own, original as Method, Reflect.get(methods, key) as unknown as AnyMethod)
    originals.add(value)
    Object.defineProperty(of, key, { value, configurable: true, writable: true, enumerable: Reflect.getOwnPropertyDescriptor(of, key)?.enumerable ?? false })
  }
}

/** What stands in the place of methods. */
const originals = new WeakSet<object>()

async function putBackBy(name: string, reset: () => unknown): Promise<readonly string[]> {
  try {
    await outsideOnPurpose(reset)
    return []
  } catch (error) {
    return [`what ${name} has (${String((error as Error).message)})`]
  }
}

function asking(own: Own, original: Method, method: AnyMethod): Method {
  return function asked(this: object, ...args) {
    // The text by which functions are known whose code tells what it does.
    '__dpor'
    if (running === null) return Reflect.apply(original, this, args)
    const site = running.siteOfCall(asked)
    for (const arg of args) if (typeof arg === 'object' && arg !== null) readDeep(running, arg, site)
    if (own.putBack) serversOf(running).whenAllOver(own.putBack)
    return askForPromise(running, lineOf(running, own, this), new Call(own, { client: this, args, original, method }), site)
  }
}

const lines = new PerExecution(() => new Map<object, OpenLine>())

function lineOf(execution: Execution, { isInOrder }: Own, client: object): OpenLine {
  if (!isInOrder) return new OpenLine({}, execution.identities.fresh())
  const known = lines.of(execution)
  let line = known.get(client)
  if (!line) known.set(client, (line = new OpenLine(client, nameOf(execution, client))))
  return line
}

interface Given {
  readonly client: object
  readonly args: readonly unknown[]
  readonly original: Method
  readonly method: AnyMethod
}

/** A call of a method of a driver. */
class Call implements Question {
  readonly name: string
  readonly #own: Own
  readonly #given: Given

  constructor(own: Own, given: Given) {
    this.name = given.original.name || own.name
    this.#own = own
    this.#given = given
  }

  get shown(): string {
    return `${this.name}(${this.#given.args.map((arg) => (typeof arg === 'object' && arg !== null ? '...' : String(arg))).join(', ')})`
  }

  #call(answer?: Answer): DriverCall<object, readonly unknown[], unknown> {
    const { client, args } = this.#given
    return { client, args, answer: answer && 'value' in answer ? answer.value : undefined }
  }

  tell(execution: Execution, site: SiteId, answer: Answer | undefined): void {
    const accesses = besideSteps(() => this.#given.method.accesses(this.#call(answer)))
    for (const { kind, key, value } of accesses) tellResource(execution, { name: this.#own.name, kind, key, value, site })
  }

  send(answered: (answer: Answer) => void): void {
    const { client, args, original } = this.#given
    void outsideOnPurpose(() => Reflect.apply(original, client, args)).then((value) => answered({ value }), (error: unknown) => answered({ error }))
  }

  mayWait(): boolean {
    return this.#given.method.waits !== undefined
  }

  async heldUpBy(): Promise<readonly Line[]> {
    return (await outsideOnPurpose(() => this.#given.method.waits?.isWaiting(this.#call()))) === true ? [nobody] : []
  }

  waits(execution: Execution, giveUp: () => void): void {
    const delay = besideSteps(() => this.#given.method.waits?.milliseconds?.(this.#call()))
    if (delay !== undefined) execution.clock.start(execution, { name: 'timeout', callback: giveUp, delay, repeats: false, site: execution.lastSite, mayRace: true })
  }

  async cancel(): Promise<void> {
    await outsideOnPurpose(() => this.#given.method.waits?.giveUp(this.#call()))
  }

  end(execution: Execution, answer: Answer): Answer {
    nameNew(execution, 'error' in answer ? answer.error : answer.value)
    return answer
  }
}

/** Whoever does something there lets it go on. */
const nobody: Line = { connection: {} }
