import type { EventEmitter } from 'node:events'

/** Code that is not instrumented and keeps its state to itself. */

export interface Store<T extends object> {
  getState(): T
  setState(change: Partial<T> | ((state: T) => Partial<T>)): void
  subscribe(listener: (state: T) => void): () => void
}

/** A store in a closure, as zustand makes them. */
export function createStore<T extends object>(initial: T): Store<T> {
  let state = initial
  const listeners = new Set<(state: T) => void>()
  return {
    getState: () => state,
    setState(change) {
      state = { ...state, ...(typeof change === 'function' ? change(state) : change) }
      for (const listener of listeners) listener(state)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** What was loaded last, as clients of servers keep it: it goes on when the promise that it was given is settled. */
export class Loaded<T> {
  #data: T
  constructor(data: T) {
    this.#data = data
  }
  get(): T {
    return this.#data
  }
  set(data: T): void {
    this.#data = data
  }
  async load(from: () => Promise<T>): Promise<void> {
    this.#data = await from()
  }
  async follow(promise: Promise<T>): Promise<void> {
    this.#data = await promise
  }
  /** Tries until it succeeds. */
  async retry(from: () => Promise<T>): Promise<void> {
    for (;;) {
      try {
        this.#data = await from()
        return
      } catch {
        continue
      }
    }
  }
}

const settled = Promise.resolve()

/** Collects keys until the end of the tick, and loads them at once. */
export function batched<T>(load: (keys: readonly string[]) => Promise<readonly T[]>): (key: string) => Promise<T> {
  let keys: string[] = []
  let pending: Promise<readonly T[]> | undefined
  return async (key) => {
    const index = keys.push(key) - 1
    pending ??= new Promise((resolve) => {
      const dispatch = (): void => {
        resolve(load(keys))
        keys = []
        pending = undefined
      }
      void settled.then(() => process.nextTick(dispatch))
    })
    return (await pending)[index]!
  }
}

let looks = 0

/** Looks once more each time. */
export function lookMore(emitter: EventEmitter): number {
  looks++
  for (let i = 0; i < looks; i++) emitter.listenerCount('a')
  return emitter.listenerCount('a')
}

let stamps = 0

/** A store of rows that numbers its versions for all stores of the module, as reactive systems do: nobody outside sees them. */
export class Versioned {
  readonly rows: { readonly name: string; version: number }[] = []
  version = 0
  add(name: string): void {
    this.version = ++stamps
    this.rows.push({ name, version: stamps })
  }
  names(): string[] {
    return this.rows.map(({ name }) => name)
  }
}

const counts = new Map<string, number>()

/** A cache that outlives every execution, in a closure of its module. */
export const visits = {
  get: (key: string): number => counts.get(key) ?? 0,
  set: (key: string, count: number): void => void counts.set(key, count),
}

type Reducer<S> = (state: S, action: { readonly type: string }) => S

/** As redux makes them. */
export function createReduced<S>(reducer: Reducer<S>, initial: S) {
  let state = initial
  return { getState: () => state, dispatch: (action: { readonly type: string }) => void (state = reducer(state, action)) }
}

/** A cache of results, as lodash's `memoize` keeps one. */
export function memoize<T>(make: (key: string) => T): (key: string) => T {
  const cache = new Map<string, T>()
  return (key) => {
    if (!cache.has(key)) cache.set(key, make(key))
    return cache.get(key)!
  }
}

export class Ledger {
  #sum = 0
  entries: number[] = []
  add(amount: number): void {
    this.#sum += amount
    this.entries.push(amount)
  }
  sum(): number {
    return this.#sum
  }
}

let tokens = 0

/** State of the module. It is set back at the start of each execution, since nobody else can. */
export const bucket = {
  reset: (count: number) => void (tokens = count),
  peek: () => tokens,
  take: () => tokens--,
}

export function stamp(order: { state: string }): void {
  order.state = 'stamped'
}

export async function stampLater(order: { state: string }): Promise<void> {
  await null
  order.state = 'stamped'
}

export async function stampThen(order: { state: string }, then: () => void): Promise<void> {
  await stampLater(order)
  then()
}

export const labelOf = (order: { readonly state: string }): string => `order ${order.state}`

export const partLabelOf = (order: { readonly part?: { readonly state: string } }): string | undefined => order.part?.state

/** Keeps what it is handed, and changes it when asked. */
export function makeRegistry() {
  const orders: { state: string }[] = []
  return {
    register: (order: { state: string }) => void orders.push(order),
    flush() {
      for (const order of orders) order.state = 'flushed'
    },
  }
}

