/** A program of the oracle: threads of steps over small integers. Each thread has one register, r. */
export interface Ast {
  readonly variables: number
  /** What the variables begin with; 0 where it says nothing. */
  readonly initial?: readonly number[]
  readonly locks: number
  readonly signals: number
  readonly threads: readonly AstThread[]
}

export interface AstThread {
  /** Started by a `spawn` of another thread instead of with the program. */
  readonly spawned: boolean
  readonly steps: readonly Step[]
}

export interface Step {
  /** Skipped, without a step, unless r has this value. */
  readonly when?: number
  /** How many steps are skipped then, this one included. Default 1. */
  readonly skips?: number
  readonly action: Action
}

export type Action =
  | { readonly type: 'read'; readonly variable: Address }
  | { readonly type: 'write'; readonly variable: Address; readonly value: Value }
  | { readonly type: 'add'; readonly variable: Address }
  | { readonly type: 'combine'; readonly variable: Address }
  | { readonly type: 'swap'; readonly variable: Address; readonly expected: number; readonly next: number }
  | { readonly type: 'atomic'; readonly after?: number; readonly body: readonly Part[] }
  | { readonly type: 'lock'; readonly lock: number }
  | { readonly type: 'unlock'; readonly lock: number }
  | { readonly type: 'until'; readonly variable: number; readonly predicate: Predicate }
  /** Looks at variables. */
  | { readonly type: 'look'; readonly variables: readonly number[] }
  /** The same variables again, which the thread last looked at: only once one of them has changed since. */
  | { readonly type: 'again'; readonly body: readonly Part[] }
  /** No step: goes back so many steps while r is such, `most` times at most. */
  | { readonly type: 'back'; readonly steps: number; readonly while: Predicate; readonly most?: number }
  | { readonly type: 'raise'; readonly signal: number }
  | { readonly type: 'await'; readonly signal: number }
  | { readonly type: 'delay'; readonly time: number }
  | { readonly type: 'spawn'; readonly thread: number }
  | { readonly type: 'join'; readonly thread: number }

/** One access inside an atomic step. */
export type Part =
  | { readonly type: 'get'; readonly variable: Address }
  | { readonly type: 'set'; readonly variable: Address; readonly value: Value }
  | { readonly type: 'merge'; readonly variable: Address }
  | { readonly type: 'set-signal'; readonly signal: number }
  | { readonly type: 'if'; readonly equals: number; readonly body: readonly Part[] }

/** The number of a variable, or the register, modulo the number of variables. */
export type Address = number | 'r'

/** A constant, or the register plus one. */
export type Value = number | 'r+1'

export interface Predicate {
  readonly relation: '==' | '!='
  readonly value: number
}

export function valueOf(value: Value, register: number): number {
  return value === 'r+1' ? register + 1 : value
}

export function addressOf(address: Address, { variables }: Ast, register: number): number {
  return address === 'r' ? register % variables : address
}

export function satisfies(predicate: Predicate, value: number): boolean {
  return predicate.relation === '==' ? value === predicate.value : value !== predicate.value
}

/** A program of threads that all start with it, each given by its steps. */
export function programOf(threads: readonly (readonly Step[])[]): Ast {
  return { variables: 3, locks: 0, signals: 0, threads: threads.map((steps) => ({ spawned: false, steps })) }
}

export const atomic = (...body: readonly Part[]): Step => ({ action: { type: 'atomic', body } })
export const get = (variable: Address): Part => ({ type: 'get', variable })
export const set = (variable: Address, value: Value): Part => ({ type: 'set', variable, value })
/** Only if the register is 0. */
export const ifZero = (...body: readonly Part[]): Part => ({ type: 'if', equals: 0, body })
