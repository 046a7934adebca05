interface Counted {
  n: number
  ref?: Counted
}

const kept: Counted[] = []
let shared: Counted | undefined

/** What one execution has kept is nothing to the next one. */
export const forget = (): void => {
  kept.length = 0
  shared = undefined
  listeners.length = 0
  given.length = 0
  table.clear()
  state.n = 0
  count = 0
  adopted = undefined
}
export const keep = (object: Counted): void => void kept.push(object)
/** The same object for all, made when it is asked for first. */
export const same = (): Counted => {
  if (!shared) keep((shared = { n: 0 }))
  return shared
}
/** Changes all that it keeps, and what that leads to. */
export const bump = (): void => {
  for (const object of kept) {
    object.n++
    if (object.ref) object.ref.n *= 2
  }
}
export const sum = (): number => kept.reduce((total, { n, ref }) => total + n + (ref?.n ?? 0), 0)

/** Calls back with all that it keeps. */
export const each = (callback: (object: Counted) => void): void => kept.forEach((object) => callback(object))
/** The list itself. */
export const all = (): Counted[] => kept
export const sameLater = async (): Promise<Counted> => same()

export class Crate {
  readonly items: Counted[] = []
  put(object: Counted): void {
    this.items.push(object)
  }
  first(): Counted | undefined {
    return this.items[0]
  }
  get total(): number {
    return this.items.reduce((total, { n }) => total + n, 0)
  }
  set level(n: number) {
    for (const object of this.items) object.n = n
  }
  bump(): void {
    for (const object of this.items) object.n++
  }
}

export const crate = (): { crate: Crate; put: (object: Counted) => void; bump: () => void } => {
  const made = new Crate()
  return { crate: made, put: (object) => made.put(object), bump: () => made.bump() }
}

/** An object, a number and a list that whoever imports them may look at. */
export const state: Counted = { n: 0 }
export let count = 0
export const bumpState = (): void => {
  state.n++
  count++
}

/** What it makes and hands to callbacks only. */
const given: Counted[] = []
const listeners: ((object: Counted) => void)[] = []
export const listen = (callback: (object: Counted) => void): void => void listeners.push(callback)
export const give = (): void => {
  const object = { n: 0 }
  given.push(object)
  for (const callback of listeners) callback(object)
}
export const bumpGiven = (): void => {
  for (const object of given) object.n++
}

/** Objects of a class, and of closures, that share a state of the module. */
const table = new Map<string, number>()
export class Client {
  read(): number {
    return table.get('key') ?? 0
  }
  write(n: number): void {
    table.set('key', n)
  }
}
export const client = (): { read: () => number; write: (n: number) => void } => ({ read: () => table.get('key') ?? 0, write: (n) => void table.set('key', n) })

/** What getters, traps and generators of it do. */
export const view = {
  get sum(): number {
    return sum()
  },
  get same(): Counted {
    return same()
  },
  get bumped(): number {
    bump()
    return 0
  },
  set level(n: number) {
    for (const object of kept) object.n = n
  },
}
export const proxied = new Proxy({} as { readonly sum: number; readonly bumped: number }, {
  get: (_, name) => (name === 'bumped' ? bump() : undefined, sum()),
})
export function* walk(): Generator<Counted> {
  yield* kept.slice()
}

/** Classes and closures that name no state of the module: two of them have nothing to do with each other until one gets the other. */
export interface Box {
  put(object: Counted): void
  bump(): void
  total(): number
  first(): Counted | undefined
  link(other: { readonly box: Box }): void
  bumpOther(): void
  onBump(callback: (object: Counted) => void): void
}
export class ClosedBox implements Box {
  readonly #items: Counted[] = []
  #other: Box | undefined
  #callback: ((object: Counted) => void) | undefined
  put(object: Counted): void {
    this.#items.push(object)
  }
  bump(): void {
    const inner = { n: this.#items.length }
    this.#callback?.(inner)
    this.#items.push(inner)
    for (const item of this.#items) item.n++
  }
  total(): number {
    return this.#items.reduce((total, { n }) => total + n, 0)
  }
  first(): Counted | undefined {
    return this.#items[0]
  }
  link({ box }: { readonly box: Box }): void {
    this.#other = box
  }
  bumpOther(): void {
    this.#other?.bump()
  }
  onBump(callback: (object: Counted) => void): void {
    this.#callback = callback
  }
}
export const closedBox = (): Box => {
  const items: Counted[] = []
  let linked: Box | undefined
  let heard: ((object: Counted) => void) | undefined
  return {
    put: (object) => void items.push(object),
    bump: () => {
      const inner = { n: items.length }
      heard?.(inner)
      items.push(inner)
      for (const item of items) item.n++
    },
    total: () => items.reduce((total, { n }) => total + n, 0),
    first: () => items[0],
    link: ({ box }) => void (linked = box),
    bumpOther: () => linked?.bump(),
    onBump: (callback) => void (heard = callback),
  }
}
let adopted: Box | undefined
export const adopt = (box: Box): void => void (adopted = box)
export const bumpAdopted = (): void => adopted?.bump()

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => {
  setTimeout(resolve, milliseconds)
})
/** What goes on by itself, in later steps. */
export const later = {
  timer: (milliseconds: number): unknown => setTimeout(bump, milliseconds),
  asynchronous: async (milliseconds: number): Promise<void> => {
    await sleep(milliseconds)
    bump()
  },
  twice: async (milliseconds: number): Promise<void> => {
    await sleep(milliseconds - 1)
    await sleep(1)
    bump()
  },
}

/** What a timer of the call that has made it changes. */
export const ticking = (): Counted => {
  const object = { n: 0 }
  setTimeout(() => object.n++, 10)
  return object
}
