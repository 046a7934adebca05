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
