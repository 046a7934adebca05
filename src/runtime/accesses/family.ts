import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { Fn, Handler } from './handler.ts'

/** What the calls of a function of the platform mean, told by the function itself. */
export type Operation = (native: Fn) => Handler

type Table = Readonly<Record<PropertyKey, Operation>>

/** The operations of one prototype, or of one namespace: which function does what. Names that the platform lacks are left out. */
export interface Family {
  /** What the functions are properties of; undefined where the platform has none of them. */
  readonly holder: object | undefined
  readonly methods?: Table
  readonly getters?: Table
  readonly setters?: Table
  /** Calls by code that is not instrumented are told as well (see `watching.ts`). */
  readonly isWatched?: boolean
}

/** One function of a family. */
export interface Member {
  readonly holder: object
  readonly key: PropertyKey
  /** Which part of the property the function is. */
  readonly part: 'value' | 'get' | 'set'
  readonly native: Fn
  readonly handler: Handler
  readonly isWatched: boolean
}

const tables = [['methods', 'value'], ['getters', 'get'], ['setters', 'set']] as const

/** All functions of a family that the platform has. */
export function membersOf(family: Family): Member[] {
  const { holder, isWatched = false } = family
  if (!holder) return []
  return tables.flatMap(([name, part]) => {
    const table = family[name] ?? {}
    return Reflect.ownKeys(table).flatMap((key): Member[] => {
      const native = Reflect.getOwnPropertyDescriptor(holder, key)?.[part] as unknown
      if (typeof native !== 'function') return []
      return [{ holder, key, part, native: native as Fn, handler: table[key]!(native as Fn), isWatched }]
    })
  })
}

/** The same operation under several names. */
export function each(names: readonly PropertyKey[], operation: Operation): Record<PropertyKey, Operation> {
  return Object.fromEntries(names.map((name) => [name, operation]))
}
