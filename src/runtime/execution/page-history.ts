import { Array, Object, Reflect } from '../../engine/intrinsics.ts'

type Entry = Record<string, unknown>

/** Where a page has been, as its environment keeps it. */
interface Entries {
  readonly all: Entry[]
  /** Of the one where it is. */
  readonly index: number
}

/** As much of a page's history as is used here. */
interface History {
  readonly state: unknown
  replaceState(state: unknown, unused: string): void
}

/** What jsdom has on its windows. */
interface Session {
  readonly _entries: Entry[]
  _currentIndex: number
  clearHistoryTraversalTasks?(): void
}

type Fn = (...args: unknown[]) => unknown

/**
 * Where the test environment's page has been when an exploration begins. Each execution finds it so: nothing that a page is given can take back what was pushed, so
 * the lists of jsdom and of happy-dom themselves are put back.
 */
export class PageHistory {
  readonly #entries = entriesNow()
  readonly #saved = savedOf(this.#entries)

  /** After the address. */
  restore(): void {
    const { index = 0 } = this.#entries ?? {}
    const now = this.#entries && entriesNow()
    if (!now) return
    const session = sessionOf()
    session?.clearHistoryTraversalTasks?.()
    if (session) session._currentIndex = index
    const { all } = now
    const present = session ? undefined : all[now.index]
    all.length = 0
    for (const [place, { entry, fields }] of this.#saved.entries()) all.push(Object.assign(present && place === index ? present : entry, fields))
  }
}

function savedOf({ all }: Pick<Entries, 'all'> = { all: [] }): readonly { readonly entry: Entry; readonly fields: Entry }[] {
  return all.map((entry) => ({ entry, fields: { ...entry } }))
}

/** Undefined of a page whose environment keeps it in another way; a browser would have to be asked too often. */
function entriesNow(): Entries | undefined {
  const session = sessionOf()
  if (session) return { all: session._entries, index: session._currentIndex }
  const history: unknown = Reflect.get(globalThis, 'history')
  return isHistory(history) && Reflect.has(globalThis, 'happyDOM') ? entriesAskedFor(history) : undefined
}

function sessionOf(): Session | undefined {
  const { window = globalThis } = (Reflect.get(globalThis, 'jsdom') ?? {}) as { readonly window?: object }
  const session: unknown = Reflect.get(window, '_sessionHistory')
  return typeof session === 'object' && session !== null && Array.isArray(Reflect.get(session, '_entries')) ? (session as Session) : undefined
}

function isHistory(value: unknown): value is History {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'replaceState') === 'function'
}

/** happy-dom keeps its list where nobody can reach it, but asks it for the place of the entry that it replaces: here by one of the same state, and so with no change but that what lies ahead goes, which is put back. */
function entriesAskedFor(history: History): Entries | undefined {
  const replaceState = ownReplaceState(history)
  const { prototype } = Array as ArrayConstructor
  const { indexOf } = prototype
  let found: { readonly all: Entry[]; readonly index: number; readonly ahead: readonly Entry[] } | undefined
  const heard = function (this: unknown[], entry: unknown, ...rest: unknown[]): unknown {
    const index = Reflect.apply(indexOf as Fn, this, [entry, ...rest]) as number
    if (!found && index >= 0 && typeof entry === 'object' && entry !== null && 'href' in entry && 'state' in entry) found = { all: this as Entry[], index, ahead: this.slice(index + 1) as Entry[] }
    return index
  }
  Reflect.set(prototype, 'indexOf', heard)
  try {
    replaceState?.(history.state, '')
  } finally {
    Reflect.set(prototype, 'indexOf', indexOf)
  }
  if (found && found.all.length === found.index + 1) found.all.push(...found.ahead)
  return found
}

/** Undefined where the test has replaced it by a mock, which would hear of the call. */
function ownReplaceState(history: History): History['replaceState'] | undefined {
  const method = Reflect.get(Reflect.getPrototypeOf(history) ?? history, 'replaceState') as Fn
  return typeof method !== 'function' || '_isMockFunction' in method ? undefined : (...args) => void Reflect.apply(method, history, args)
}
