import type { InputKey, InputLook } from './input.ts'

/** Of what an access is: whose, and what of it. */
export interface Located {
  /** What a reader calls the object. */
  readonly owner: string
  /** It is a package's own affair within that: the way to it. */
  readonly inside?: string | undefined
  readonly key: InputKey
  /** What of it is looked at. */
  readonly look?: InputLook | undefined
}

/** What a reader calls a location: `account.balance`, `seats[0]`, `stock.get("book")`. */
export function labelOf({ owner, inside, key, look }: Located): string {
  if (inside !== undefined && key.kind !== 'answer') return `${owner} (its ${inside === '' && key.kind === 'property' ? key.name : labelOf({ owner: inside, key, look })})`
  const whose = owner === '' ? 'object' : owner
  switch (key.kind) {
    case 'variable':
      return key.name
    case 'order':
      if (look !== 'size') return `keys of ${whose}`
      return key.size === undefined ? `number of keys of ${whose}` : `${whose}.${key.size}`
    case 'byte':
      return `byte ${key.offset} of ${whose}`
    case 'listeners':
      return `listeners of ${whose} for ${key.event.text}`
    case 'handled':
      return `rejection of ${whose}`
    case 'clock':
      return 'the clock'
    case 'opaque':
      return `what ${whose} keeps`
    case 'answer':
      return key.call
    case 'extensibility':
    case 'state':
    case 'settled':
    case 'watched':
    case 'reactions':
    case 'part':
    case 'fired':
    case 'rows':
    case 'stored':
      return whose
    case 'resource':
      return key.key === undefined ? whose : `${whose}[${typeof key.key === 'string' ? JSON.stringify(key.key) : key.key}]`
    case 'entry of object':
      return privateFieldOf(owner, key.name) ?? whose + partOf(key)
    default:
      return whose + partOf(key)
  }
}

/** The object alone: `cache (its list)` */
export const ownerOf = ({ owner, inside }: Pick<Located, 'owner' | 'inside'>): string => (inside ? `${owner} (its ${inside})` : owner)

/** `.user.name` */
export const labelOfPart = (names: readonly string[]): string => names.map((name) => partOf({ kind: 'property', name })).join('')

/** What TypeScript makes of a private field for older targets: a WeakMap, `_AwaitLock_acquired`. */
function privateFieldOf(map: string, object: string): string | undefined {
  const field = /^_[\p{L}$][\p{L}\p{N}$]*_([\p{L}\p{N}_$]+)$/u.exec(map)?.[1]
  return field === undefined || object === '' ? undefined : `${object}.#${field}`
}

/** What of its object a location is, in short: `balance` where the object needs no mention. Undefined: only the whole says it. */
export function shortLabelOf({ key }: Located): string | undefined {
  return key.kind === 'property' && isIdentifier(key.name) && !sizes.has(key.name) ? key.name : undefined
}

/** Names that say nothing without their object. */
const sizes = new Set(['length', 'size'])

type Part = Extract<InputKey, { kind: 'property' | 'symbol' | 'element' | 'entry' | 'entry of object' }>

function partOf(key: Part): string {
  switch (key.kind) {
    case 'property':
      return isIdentifier(key.name) ? `.${key.name}` : /^\d+$/.test(key.name) ? `[${key.name}]` : `[${JSON.stringify(key.name)}]`
    case 'symbol':
      return `[${key.description === '' ? 'symbol' : key.description}]`
    case 'element':
      return `[${key.index}]`
    case 'entry':
      return `.get(${key.key.text})`
    case 'entry of object':
      return `.get(${key.name === '' ? 'object' : key.name})`
    default:
      return key satisfies never
  }
}

function isIdentifier(name: string): boolean {
  return /^#?[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)
}
