/** Connections of drivers, in the order in which they were met. */
const numbers = new WeakMap<object, number>()
let count = 0

/** A driver knows this connection. */
export function noteConnection(connection: object): void {
  if (!numbers.has(connection)) numbers.set(connection, ++count)
}

export const isConnection = (object: unknown): object is object => typeof object === 'object' && object !== null && numbers.has(object)

/** What a pool keeps of connections that nobody has, and of which it gives the last: the oldest connection comes first. */
export function oldestLast<Item>(items: readonly Item[], connectionOf: (item: Item) => object): Item[] {
  const numberOf = (item: Item): number => numbers.get(connectionOf(item)) ?? 0
  return items.toSorted((one, other) => numberOf(other) - numberOf(one))
}
