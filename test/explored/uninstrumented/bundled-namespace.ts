let count = 0

const add = (): number => ++count
const kept = { name: 'kept' }

/** What a module exports, as bundlers make it: an object of getters. */
export const namespace = {} as { readonly count: number; readonly add: typeof add; readonly kept: typeof kept }
for (const [name, get] of Object.entries({ count: () => count, add: () => add, kept: () => kept })) Object.defineProperty(namespace, name, { get, enumerable: true })

export const reset = (): void => void (count = 0)
