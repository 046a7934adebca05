/** A program of the oracle: threads of steps over small integers. Each thread has one register, r. */
export interface Ast {
  readonly variables: number
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
  readonly action: Action
}

export type Action =
  | { readonly type: 'read'; readonly variable: number }
  | { readonly type: 'write'; readonly variable: number; readonly value: Value }
  | { readonly type: 'add'; readonly variable: number }
  | { readonly type: 'combine'; readonly variable: number }
  | { readonly type: 'swap'; readonly variable: number; readonly expected: number; readonly next: number }
  | { readonly type: 'atomic'; readonly after?: number; readonly body: readonly Part[] }
  | { readonly type: 'lock'; readonly lock: number }
  | { readonly type: 'unlock'; readonly lock: number }
  | { readonly type: 'until'; readonly variable: number; readonly predicate: Predicate }
  | { readonly type: 'raise'; readonly signal: number }
  | { readonly type: 'await'; readonly signal: number }
  | { readonly type: 'delay'; readonly time: number }
  | { readonly type: 'spawn'; readonly thread: number }
  | { readonly type: 'join'; readonly thread: number }

/** One access inside an atomic step. */
export type Part =
  | { readonly type: 'get'; readonly variable: number }
  | { readonly type: 'set'; readonly variable: number; readonly value: Value }
  | { readonly type: 'merge'; readonly variable: number }
  | { readonly type: 'set-signal'; readonly signal: number }
  | { readonly type: 'if'; readonly equals: number; readonly body: readonly Part[] }

/** A constant, or the register plus one. */
export type Value = number | 'r+1'

export interface Predicate {
  readonly relation: '==' | '!='
  readonly value: number
}

/** Whether every step of the program has one access at most. */
export function hasSingleAccesses({ threads }: Ast): boolean {
  return threads.every(({ steps }) => steps.every(({ action }) => action.type !== 'atomic'))
}

export function valueOf(value: Value, register: number): number {
  return value === 'r+1' ? register + 1 : value
}

export function satisfies(predicate: Predicate, value: number): boolean {
  return predicate.relation === '==' ? value === predicate.value : value !== predicate.value
}

/** A program of threads that all start with it, each given by its steps. */
export function programOf(threads: readonly (readonly Step[])[]): Ast {
  return { variables: 3, locks: 0, signals: 0, threads: threads.map((steps) => ({ spawned: false, steps })) }
}

export const atomic = (...body: readonly Part[]): Step => ({ action: { type: 'atomic', body } })
export const get = (variable: number): Part => ({ type: 'get', variable })
export const set = (variable: number, value: Value): Part => ({ type: 'set', variable, value })
/** Only if the register is 0. */
export const ifZero = (...body: readonly Part[]): Part => ({ type: 'if', equals: 0, body })
