const { ownKeys, getOwnPropertyDescriptor, defineProperty, deleteProperty, getPrototypeOf, setPrototypeOf, isExtensible } = Reflect

interface Known {
  readonly object: object
  readonly keys: readonly PropertyKey[]
  readonly descriptors: readonly PropertyDescriptor[]
  readonly prototype: object | null
  readonly wasExtensible: boolean
}

/** Objects that are none of the language's, and change by themselves. */
const ofTheHost = new Set(['process', 'console', 'performance', 'navigator', 'crypto'])

/** All that the language provides, as it was, so that the next program finds it like that. */
export class Intrinsics {
  readonly #known: Known[] = []

  constructor() {
    const seen = new Set<object>()
    const visit = (object: unknown): void => {
      if ((typeof object !== 'object' && typeof object !== 'function') || object === null || seen.has(object)) return
      seen.add(object)
      const keys = ownKeys(object).filter((key) => object !== globalThis || !ofTheHost.has(String(key)))
      const descriptors = keys.map((key) => getOwnPropertyDescriptor(object, key)!)
      this.#known.push({ object, keys, descriptors, prototype: getPrototypeOf(object), wasExtensible: isExtensible(object) })
      visit(getPrototypeOf(object))
      for (const { value, get, set } of descriptors) for (const part of [value, get, set]) visit(part)
    }
    visit(globalThis)
    for (const syntax of [function* () {}, async function* () {}, async () => {}, [][Symbol.iterator](), new Map().entries(), new Set().values(), ''[Symbol.iterator](), 'a'.matchAll(/a/g)]) visit(getPrototypeOf(syntax))
    visit(getPrototypeOf(async function* () {}.prototype as object))
  }

  /** Puts everything back; false if something cannot be. Calls nothing that a program may have replaced. */
  restore(): boolean {
    let isWhole = true
    for (let i = 0; i < this.#known.length; i++) isWhole = restoreOne(this.#known[i]!) && isWhole
    return isWhole
  }
}

function restoreOne({ object, keys, descriptors, prototype, wasExtensible }: Known): boolean {
  let isWhole = isExtensible(object) === wasExtensible
  const now = ownKeys(object)
  if (now.length !== keys.length) for (let i = 0; i < now.length; i++) if (!has(keys, now[i]!) && !(object === globalThis && isOfTheHost(now[i]!))) isWhole = deleteProperty(object, now[i]!) && isWhole
  for (let i = 0; i < keys.length; i++) {
    const before = descriptors[i]!
    const after = getOwnPropertyDescriptor(object, keys[i]!)
    if (!after || !isSame(before, after)) isWhole = defineProperty(object, keys[i]!, before) && isWhole
  }
  if (getPrototypeOf(object) !== prototype) isWhole = setPrototypeOf(object, prototype) && isWhole
  return isWhole
}

function has(keys: readonly PropertyKey[], key: PropertyKey): boolean {
  for (let i = 0; i < keys.length; i++) if (keys[i] === key) return true
  return false
}

const isOfTheHost = (key: PropertyKey): boolean => key === 'process' || key === 'console' || key === 'performance' || key === 'navigator' || key === 'crypto'

function isSame(a: PropertyDescriptor, b: PropertyDescriptor): boolean {
  return (
    (a.value === b.value || (a.value !== a.value && b.value !== b.value)) &&
    a.get === b.get && a.set === b.set && a.writable === b.writable && a.enumerable === b.enumerable && a.configurable === b.configurable
  )
}
