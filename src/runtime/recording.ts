import type { LocationId, SiteId } from '../engine/ids.ts'
import { KEYS } from './identity.ts'
import { isVariableOwner } from './variables.ts'
import { placeOf, type SourcePlace } from './sources.ts'

/** One access of a recorded execution, in words. */
export interface RecordedAccess {
  readonly kind: 'read' | 'write' | 'add' | 'wait' | 'settle'
  readonly location: LocationId
  readonly place: SourcePlace | undefined
  /** What a reader calls the location: `account.balance`. Empty for promises. */
  readonly label: string
  /** The value read or written, shortened. */
  readonly value: string
  /** The async call whose code ran: the first part of a call runs within its caller's step. */
  readonly call: string | undefined
  /** Ordinal of the process that the call became, if it did. */
  callProcess: number | undefined
}

/** One step of a recorded execution. */
export interface RecordedStep {
  /** Ordinal of the process, as schedules count them. */
  readonly process: number
  /** Where the process went on: the `await`, the callback. */
  readonly place: SourcePlace | undefined
  readonly accesses: RecordedAccess[]
  /** Ordinals of the processes that this step created. */
  readonly spawned: number[]
  /** Virtual time advanced before this step, to this many milliseconds. */
  readonly time: number | undefined
}

/** What an explanation is made from. */
export interface RecordedExecution {
  readonly steps: readonly RecordedStep[]
  /** Names of the processes, by ordinal. */
  readonly names: readonly string[]
}

interface AccessSeen {
  readonly kind: RecordedAccess['kind']
  readonly location: LocationId
  readonly site: SiteId
  readonly object?: object
  readonly key?: PropertyKey
  readonly value?: unknown
}

/** An async call, to the recorder. */
interface RecordedCall {
  readonly name: string
  readonly process: { readonly id: number } | undefined
  /** The call within whose step it began. */
  readonly caller: RecordedCall | undefined
}

/** Writes down one execution, for its explanation. */
export class Recorder implements RecordedExecution {
  readonly steps: (RecordedStep & { time: number | undefined })[] = []
  readonly names: string[] = []
  #time: number | undefined
  #unplaced: { access: RecordedAccess; call: RecordedCall }[] = []
  /** The call whose code runs now. */
  call: RecordedCall | undefined

  step(process: number, site: SiteId): void {
    this.steps.push({ process, place: placeOf(site), accesses: [], spawned: [], time: this.#time })
    this.#time = undefined
  }

  spawned(process: number, name: string): void {
    this.names[process] = name
    this.steps.at(-1)?.spawned.push(process)
  }

  barrier(time: number): void {
    this.#time = time
  }

  /** The calls of the step that go on have their processes now. */
  endStep(ordinal: (process: number) => number): void {
    for (const { access, call } of this.#unplaced) {
      // A call that has ended within its caller's step belongs to its caller.
      let placed: RecordedCall | undefined = call
      while (placed && !(placed.process && placed.process.id >= 0)) placed = placed.caller
      if (placed) access.callProcess = ordinal(placed.process!.id)
    }
    this.#unplaced = []
    this.call = undefined
  }

  access({ kind, location, site, object, key, value }: AccessSeen): void {
    const place = placeOf(site)
    const access: RecordedAccess = {
      kind,
      location,
      place,
      label: object === undefined ? '' : labelOf(object, key!, place),
      value: kind === 'read' || kind === 'write' ? show(value) : '',
      call: this.call?.name,
      callProcess: undefined,
    }
    this.steps.at(-1)?.accesses.push(access)
    if (this.call) this.#unplaced.push({ access, call: this.call })
  }
}

/** `account.balance` for the field `balance` of an `Account`; as written in the source where the class says nothing. */
function labelOf(object: object, key: PropertyKey, place: SourcePlace | undefined): string {
  if (key === KEYS) {
    const isCollection = object instanceof Map || object instanceof Set
    return isCollection ? `${ownerOf(object, place, 'size')}.size` : `keys of ${ownerOf(object, place, '')}`
  }
  if (isVariableOwner(object)) return String(key)
  const name = typeof key === 'symbol' ? `[${key.description ?? 'symbol'}]` : String(key)
  const entry = /^entry \w+ (.*)$/.exec(name)
  const owner = ownerOf(object, place, name)
  if (entry) return `${owner}.get(${entry[1]})`
  return /^\d+$/.test(name) ? `${owner}[${name}]` : `${owner}.${name}`
}

function ownerOf(object: object, place: SourcePlace | undefined, key: string): string {
  if (typeof object === 'function') return object.name || 'function'
  const constructor = (Reflect.getPrototypeOf(object) as { constructor?: { name?: string } } | null)?.constructor
  const name = constructor?.name ?? ''
  if (name !== '' && !generic.has(name)) return name[0]!.toLowerCase() + name.slice(1)
  const written = place?.text ?? ''
  const cut = [`.${key}`, `?.${key}`, '.', '['].map((end) => written.lastIndexOf(end)).find((index) => index > 0)
  const owner = cut === undefined ? '' : written.slice(0, cut)
  return owner === '' ? name.toLowerCase() || 'object' : owner.replace(/^this\./, '')
}

const generic = new Set(['Object', 'Array', 'Map', 'Set', 'WeakMap', 'WeakSet', 'Function'])

/** A value on one short line. */
export function show(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return shorten(JSON.stringify(value))
    case 'bigint':
      return `${value}n`
    case 'function':
      return `[function ${value.name || 'anonymous'}]`
    case 'symbol':
      return String(value)
    case 'object':
      return value === null ? 'null' : showObject(value)
    default:
      return String(value)
  }
}

function showObject(value: object): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${value.length} items]`
  const name = (Reflect.getPrototypeOf(value) as { constructor?: { name?: string } } | null)?.constructor?.name ?? 'Object'
  if (value instanceof Error) return shorten(`${name}(${JSON.stringify(value.message)})`)
  if (value instanceof Map || value instanceof Set) return `${name}(${value.size})`
  if (name !== 'Object') return `[${name}]`
  try {
    return shorten(JSON.stringify(value) ?? '{}')
  } catch {
    return '{…}'
  }
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text
}
