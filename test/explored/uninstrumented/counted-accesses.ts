import { Search } from '../../../src/engine/index.ts'
import type { MakeSearch } from '../../../src/runtime/exploration/explore.ts'

const kinds = ['read', 'assign', 'add', 'append', 'insert', 'write'] as const

/** A search that counts what it is told of, all in all. */
export function countedAccesses(): { readonly makeSearch: MakeSearch; readonly told: () => number } {
  let told = 0
  const makeSearch: MakeSearch = (options) => {
    const search = new Search(options)
    const counted = (name: keyof Search, count: () => void): void => {
      const original = search[name] as (...args: unknown[]) => unknown
      Object.defineProperty(search, name, {
        value(...args: unknown[]): unknown {
          count()
          return Reflect.apply(original, search, args)
        },
      })
    }
    for (const kind of kinds) counted(kind, () => told++)
    return search
  }
  return { makeSearch, told: () => told }
}
