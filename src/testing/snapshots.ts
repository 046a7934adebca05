/** What a test framework keeps of the snapshots of a file until it writes them, as far as it is used here: Vitest has it from Jest. */
interface SnapshotState extends Record<string, unknown> {
  readonly _snapshotData?: Readonly<Record<string, string>>
  readonly _inlineSnapshots?: readonly InlineSnapshot[]
  readonly _rawSnapshots?: readonly { readonly file: string; readonly snapshot: string }[]
}

interface InlinePlace {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** Jest has the place in a frame, Vitest in the snapshot itself. */
type InlineSnapshot = { readonly snapshot: string } & (InlinePlace | { readonly frame: InlinePlace })

/**
 * The snapshots of an explored test: each execution takes them for itself, from the same state. What the first one, the plain order, has
 * taken anew is what is written, and what that of all others has to be.
 */
export class Snapshots {
  readonly #state: SnapshotState | undefined
  readonly #restore: (() => void) | undefined
  readonly #before: ReadonlyMap<string, string>
  #first: ReadonlyMap<string, string> | undefined
  #keepFirst: (() => void) | undefined
  /** Nothing is kept of what is taken now: there has been an exploration of the test, which has left this. */
  #leaveAsItWas: (() => void) | undefined

  /** @param state what `expect.getState().snapshotState` is in the test */
  constructor(state: unknown) {
    this.#state = state as SnapshotState | undefined
    this.#restore = this.#state && saved(this.#state)
    this.#before = this.#taken()
  }

  /** For an exploration of the same test after this one, which is to find what this one has found, and to leave what it has left. */
  again(): Snapshots {
    const left = this.#state && saved(this.#state)
    this.#restore?.()
    const again = new Snapshots(this.#state)
    again.#leaveAsItWas = left
    return again
  }

  begin(): void {
    this.#restore?.()
  }

  /** @throws an error with both snapshots, where one differs from that of the first execution */
  check(): void {
    if (!this.#state) return
    const taken = new Map([...this.#taken()].filter(([where, snapshot]) => this.#before.get(where) !== snapshot))
    if (!this.#first) {
      this.#first = taken
      this.#keepFirst = saved(this.#state)
      return
    }
    for (const [where, snapshot] of taken) {
      const first = this.#first.get(where)
      if (first !== snapshot) throw new OrderDependentSnapshotError(where, { actual: snapshot, expected: first })
    }
  }

  end(): void {
    ;(this.#leaveAsItWas ?? this.#keepFirst ?? this.#restore)?.()
  }

  /** All that would be written now, by name or place. */
  #taken(): ReadonlyMap<string, string> {
    const { _snapshotData = {}, _inlineSnapshots = [], _rawSnapshots = [] } = this.#state ?? {}
    return new Map([
      ...Object.entries(_snapshotData).filter(([, snapshot]) => snapshot !== undefined).map(([key, snapshot]) => [`\`${key}\``, snapshot] as const),
      ..._inlineSnapshots.map((inline) => [`at ${placeOf(inline)}`, inline.snapshot] as const),
      ..._rawSnapshots.map(({ file, snapshot }) => [`in ${file}`, snapshot] as const),
    ])
  }
}

function placeOf(inline: InlineSnapshot): string {
  const { file, line, column } = 'frame' in inline ? inline.frame : inline
  return `${file}:${line}:${column}`
}

/** A new snapshot is not the same in all executions. */
class OrderDependentSnapshotError extends Error {
  override readonly name = 'OrderDependentSnapshotError'
  readonly actual: string
  readonly expected: string | undefined

  constructor(where: string, { actual, expected }: { actual: string; expected: string | undefined }) {
    super(`the snapshot ${where} ${expected === undefined ? 'was not taken by' : 'differs from that of'} the first execution, which is the plain order`)
    this.actual = actual
    this.expected = expected
  }
}

/** Keeps all that an object consists of, collections among it; returns what puts it back, as often as it is called. */
function saved(state: Record<string, unknown>): () => void {
  const parts = fieldsOf(state).map((key) => savedPart(state, key))
  return () => {
    for (const restore of parts) restore()
  }
}

const knownFields = new WeakMap<object, readonly string[]>()

/** What can be set, by name. It is the same for all tests of a file. */
function fieldsOf(state: Record<string, unknown>): readonly string[] {
  let fields = knownFields.get(state)
  if (!fields) knownFields.set(state, (fields = Object.entries(Object.getOwnPropertyDescriptors(state)).flatMap(([key, own]) => ('value' in own && own.writable ? [key] : []))))
  return fields
}

function savedPart(state: Record<string, unknown>, key: string): () => void {
  const value = state[key]
  const put = (next: unknown): void => {
    state[key] = next
  }
  if (value instanceof Map) return savedMap(value, () => put(value))
  if (value instanceof Set) return savedSet(value, () => put(value))
  if (Array.isArray(value)) {
    const copy = [...(value as unknown[])]
    return () => put([...copy])
  }
  const prototype: unknown = typeof value === 'object' && value !== null ? Reflect.getPrototypeOf(value) : undefined
  if (prototype !== Object.prototype && prototype !== null) return () => put(value)
  const copy = { ...(value as object) }
  return () => put({ ...copy })
}

const copied = (value: unknown): unknown => (Array.isArray(value) ? [...(value as unknown[])] : value)

/** The framework's maps count besides. */
function savedMap(map: Map<unknown, unknown>, put: () => void): () => void {
  const entries = [...map].map(([key, value]) => [key, copied(value)] as const)
  const fields = { ...map }
  return () => {
    map.clear()
    for (const [key, value] of entries) map.set(key, copied(value))
    Object.assign(map, fields)
    put()
  }
}

function savedSet(set: Set<unknown>, put: () => void): () => void {
  const values = [...set]
  return () => {
    set.clear()
    for (const value of values) set.add(value)
    put()
  }
}
