/** A program of the observation oracle: threads of steps over variables, lists and maps. Each thread has one register, r, and a log of all that it saw. */
export interface Ast {
  readonly variables: number
  readonly lists: number
  readonly maps: number
  readonly threads: readonly (readonly Step[])[]
  /** Looked at after the last step, unless a thread threw or is stuck. */
  readonly end: readonly Part[]
}

export type Step =
  /** Several parts without a switch between them. */
  | { readonly type: 'atomic'; readonly when?: Condition; readonly body: readonly Part[] }
  /** One part as a step of its own, not inside `atomic`. */
  | { readonly type: 'single'; readonly when?: Condition; readonly part: Single }
  | { readonly type: 'until'; readonly when?: Condition; readonly variable: number; readonly equals: number; readonly negated: boolean }

/** Of the register. */
export type Condition = 'even' | 'truthy' | { readonly equals: number }

export type Part = Single | { readonly type: 'if'; readonly condition: Condition; readonly body: readonly Part[] } | { readonly type: 'throw' }

export type Single =
  | { readonly type: 'get'; readonly variable: Address }
  | { readonly type: 'set'; readonly variable: Address; readonly value: Value }
  | { readonly type: 'plus'; readonly variable: Address; readonly amount: number | string }
  | { readonly type: 'update'; readonly variable: Address }
  | { readonly type: 'push'; readonly list: number; readonly value: Value }
  | { readonly type: 'pushAndCount'; readonly list: number; readonly value: Value }
  | { readonly type: 'items'; readonly list: number }
  | { readonly type: 'length'; readonly list: number }
  | { readonly type: 'mapSet'; readonly map: number; readonly key: string; readonly value: Value }
  | { readonly type: 'mapDelete'; readonly map: number; readonly key: string }
  | { readonly type: 'mapClear'; readonly map: number }
  | { readonly type: 'mapGet'; readonly map: number; readonly key: string }
  | { readonly type: 'mapHas'; readonly map: number; readonly key: string }
  | { readonly type: 'mapKeys'; readonly map: number }
  | { readonly type: 'mapSize'; readonly map: number }

/** A variable by its number, or by the register. */
export type Address = number | 'r'

/** A constant, the register, or the register plus one. */
export type Value = number | 'r' | 'r+1'

export type Register = number | string | boolean | undefined

/** Whether the register stands for it. */
export function meets(condition: Condition, register: Register): boolean {
  if (condition === 'even') return typeof register === 'number' && register % 2 === 0
  if (condition === 'truthy') return Boolean(register)
  return register === condition.equals
}

export function addressOf(address: Address, register: Register, variables: number): number {
  if (address !== 'r') return address
  return typeof register === 'number' && Number.isSafeInteger(register) ? Math.abs(register) % variables : 0
}

export function valueOf(value: Value, register: Register): Register {
  if (value === 'r') return register
  return value === 'r+1' ? ((register as number) + 1) : value
}

/** What one execution shows: the logs of all threads, who did not end, and what was looked at in the end. */
export interface Shown {
  readonly logs: readonly (readonly Register[])[]
  readonly ends: readonly ('done' | 'threw' | 'stuck')[]
  readonly end: readonly Register[] | undefined
}

export function outcomeOf({ logs, ends, end }: Shown): string {
  return JSON.stringify([logs.map((log) => log.map(text)), ends, end?.map(text)])
}

function text(register: Register): string {
  return `${typeof register}:${Object.is(register, -0) ? '-0' : register}`
}

export const atomic = (...body: readonly Part[]): Step => ({ type: 'atomic', body })
export const single = (part: Single): Step => ({ type: 'single', part })

/** One variable each for x and y, one list, one map. */
export function programOf(threads: readonly (readonly Step[])[], end: readonly Part[] = []): Ast {
  return { variables: 2, lists: 1, maps: 1, threads, end }
}
