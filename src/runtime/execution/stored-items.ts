import { Object, Reflect } from '../../engine/intrinsics.ts'

/** `localStorage` or `sessionStorage`, by its named properties: nobody replaces those. */
type Store = Record<string, string>

export type StoreName = 'localStorage' | 'sessionStorage'

const names = new WeakMap<object, StoreName>()

/** Which of the two of the test environment it is; undefined of everything else, and before an exploration. */
export function storeName(object: unknown): StoreName | undefined {
  return typeof object === 'object' && object !== null ? names.get(object) : undefined
}

/** What is stored under this name. */
export function storedIn(store: object, name: string): string | undefined {
  return Object.hasOwn(store, name) ? (store as Store)[name] : undefined
}

/** What puts back what a store has now. */
export function saveStored(store: object): () => void {
  const items = itemsOf(store as Store)
  return () => putBack(store as Store, items)
}

/** What both have when an exploration begins. Each execution finds it so. */
export class StoredItems {
  readonly #stores: { readonly store: Store; readonly items: ReadonlyMap<string, string> }[] = []

  constructor() {
    for (const name of ['localStorage', 'sessionStorage'] as const) {
      const store = storeOf(name)
      if (store === undefined) continue
      names.set(store, name)
      this.#stores.push({ store, items: itemsOf(store) })
    }
  }

  restore(): void {
    for (const { store, items } of this.#stores) putBack(store, items)
  }
}

function putBack(store: Store, items: ReadonlyMap<string, string>): void {
  const now = itemsOf(store)
  for (const name of now.keys()) if (!items.has(name)) Reflect.deleteProperty(store, name)
  for (const [name, value] of items) if (now.get(name) !== value) store[name] = value
}

/** A document without an origin refuses to say. */
function storeOf(name: StoreName): Store | undefined {
  try {
    const store: unknown = Reflect.get(globalThis, name)
    return typeof store === 'object' && store !== null ? (store as Store) : undefined
  } catch {
    return undefined
  }
}

const itemsOf = (store: Store): Map<string, string> => new Map(Object.keys(store).map((name) => [name, store[name]!]))
