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
