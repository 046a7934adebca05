import { Array, Object, Reflect } from '../../engine/intrinsics.ts'

/**
 * Variables that packages which are not instrumented have for as long as the process runs, and lists that these hold: they would tell one execution
 * from the next, and are put back after each.
 */

interface Kept {
  readonly get: () => readonly unknown[]
  readonly set: (...values: readonly unknown[]) => void
  readonly holders: () => readonly unknown[]
  /** What they were when the exploration began, or when they came. */
  found: Found
}

interface Found {
  readonly values: readonly unknown[]
  readonly lists: readonly { readonly list: unknown[]; readonly content: readonly unknown[] }[]
}

const all: Kept[] = []

/** Such a file has been loaded. */
export function keepVariables(get: Kept['get'], set: Kept['set'], holders: Kept['holders'] = () => []): void {
  all.push({ get, set, holders, found: foundNow({ get, holders }) })
}

/** Turns that are waited for, at most. */
const mostTurns = 20

/** Whether there are any. */
export const areKept = (): boolean => all.length > 0

/** What they say is still to be done comes first: within an exploration it would come as well, but once they are put back it would be said to be still to come. */
export async function untilQuiet(turn: () => Promise<void>): Promise<void> {
  for (let turns = 0; turns < mostTurns; turns++) {
    const before = all.map(({ get }) => get())
    await turn()
    if (all.every(({ get }, i) => get().every((value, k) => Object.is(value, before[i]?.[k])))) return
  }
}

/** An exploration begins. */
export function findVariables(): void {
  for (const kept of all) kept.found = foundNow(kept)
}

/** An execution has ended. */
export function putVariablesBack(): void {
  for (const { set, found } of all) {
    set(...found.values)
    // A list that is frozen stays as it is.
    for (const { list, content } of found.lists) {
      Reflect.set(list, 'length', content.length)
      for (let i = 0; i < content.length; i++) Reflect.set(list, i, content[i])
    }
  }
}

function foundNow({ get, holders }: Pick<Kept, 'get' | 'holders'>): Found {
  return { values: get(), lists: holders().flatMap(listsIn).map((list) => ({ list, content: [...list] })) }
}

/** A list itself, and those that an object has. */
function listsIn(holder: unknown): unknown[][] {
  if (Array.isArray(holder)) return [holder]
  if (typeof holder !== 'object' || holder === null) return []
  return Object.values(Object.getOwnPropertyDescriptors(holder)).flatMap(({ value }) => (Array.isArray(value) ? [value as unknown[]] : []))
}
