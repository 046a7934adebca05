import type { Atomic } from './atomic.ts'
import type { KeyedMap } from './keyed-map.ts'
import type { List } from './list.ts'
import type { Mutex } from './mutex.ts'
import type { Operation, Thread, ThreadBody } from './operations.ts'
import type { Shared } from './shared.ts'
import type { Signal } from './signal.ts'

/** What `build` makes a model program of. */
export interface ProgramBuilder {
  /** A variable that threads share. The name is for messages. */
  shared<T>(name: string, initial: T): Shared<T>
  /** A list that threads share, with elements of `initial` in it. */
  list<T>(name: string, initial?: readonly T[]): List<T>
  /** A map that threads share, with the entries of `initial` in it. Keys are strings, numbers and other primitive values. */
  map<K, V>(name: string, initial?: Iterable<readonly [K, V]>): KeyedMap<K, V>
  mutex(name: string): Mutex
  /** A flag that is raised once and never lowered, such as the settling of a promise. */
  signal(name: string): Signal
  /** A thread that starts with the program, in the order of these calls. */
  thread(name: string, body: ThreadBody): Thread
  /** `yield* spawn(name, body)`: starts a thread from inside a thread. */
  spawn(name: string, body: ThreadBody): Operation<Thread>
  /** `yield* join(thread)`: enabled once the thread has ended. */
  join(thread: Thread): Operation<void>
  /** `yield* until(variable, predicate)`: a read of the variable, enabled only while the predicate holds. */
  until<T>(variable: Shared<T>, predicate: (value: T) => boolean): Operation<T>
  /** `yield* delay(time)`: a step at a later virtual time, which advances only when nothing else can run. */
  delay(time: number): Operation<void>
  /** `yield* at('after-read')`: a point with a name, which the option `order` may have wait for others. */
  at(name: string): Iterable<Operation<unknown>, void, unknown>
  /** `yield* atomic(() => value)`: one step over several variables, through their `get` and `set`. */
  atomic: Atomic
}

/** Called after the last step of an execution; `false`, or a throw, is a failure. */
export type Invariant = () => unknown

/** Makes one execution's variables and threads. Must do the same every time it is called, which is more often than there are executions where loops wait. */
export type Build = (builder: ProgramBuilder) => Invariant | void

/** A model program: what `explore` runs. */
export class Program {
  readonly build: Build

  constructor(build: Build) {
    this.build = build
  }
}

export function program(build: Build): Program {
  return new Program(build)
}
