import { Array, JSON, Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { isInstance, isProxy, targetOf } from '../execution/proxies.ts'
import { calledByProgram } from '../execution/replaced-tools.ts'
import { isBytes } from './bytes.ts'
import { lookAtText } from './date-texts.ts'
import type { Fn, Handler } from './handler.ts'
import { tellImplicit } from './implicit-calls.ts'
import { lookFor } from './inheritance.ts'
import { readInside } from './inside.ts'
import { nameNew } from './new-graphs.ts'
import { tellGetter } from './opaque-accessors.ts'
import { isObject, lookAtKeys, recordRead } from './telling.ts'
import { subjectOfLook } from './subjects.ts'
import { readDeep, readWhole } from './whole.ts'

type Replacer = (this: unknown, key: string, value: unknown) => unknown

const stringify: Handler = (execution, receiver, args, site) => {
  const [value, replacer, ...others] = args
  // A list of keys cannot be joined with a function: all that the value leads to is looked at.
  if (Array.isArray(replacer)) {
    readWhole(execution, replacer, site)
    const visited = new Set<unknown>()
    readDeep(execution, value, site, 'order', visited)
    for (const object of visited) lookAtSource(execution, object, site)
    return Reflect.apply(JSON.stringify as Fn, receiver, args)
  }
  const watched = calledByProgram(watching(execution, typeof replacer === 'function' ? (replacer as Replacer) : undefined, site))
  return Reflect.apply(JSON.stringify as Fn, receiver, [value, watched, ...others])
}

/** Sees each value when it is written, after its own `toJSON`, and with it whatever that returned. */
function watching(execution: Execution, replacer: Replacer | undefined, site: SiteId): Replacer {
  let isRoot = true
  return function (key, value) {
    execution.cut.countDone()
    if (isRoot) {
      // What the platform holds the value in has no name.
      isRoot = false
      lookAtSource(execution, (this as Record<string, unknown>)[key], site)
      if (replacer) execution.identities.made(this as object)
    } else lookAtProperty(execution, this as object, { key, value }, site)
    const written: unknown = replacer ? Reflect.apply(replacer, this, [key, value]) : value
    lookInto(execution, written, site)
    return written
  }
}

interface Written {
  readonly key: string
  readonly value: unknown
}

function lookAtProperty(execution: Execution, holder: object, { key, value }: Written, site: SiteId): void {
  if (isProxy(holder)) {
    const target = targetOf(holder)
    return target && recordRead(execution, target, key, site, value)
  }
  const own = Reflect.getOwnPropertyDescriptor(holder, key)
  recordRead(execution, holder, key, site, own?.value)
  lookAtSource(execution, own?.value, site)
}

/** Which `toJSON` there is, and what that of the platform looks at. */
function lookAtSource(execution: Execution, value: unknown, site: SiteId): void {
  if (!isObject(value) || isProxy(value)) return
  lookFor(execution, value, 'toJSON', site)
  tellImplicit(execution, value, 'toJSON', site)
  if (isInstance(value, Date.prototype)) lookAtText(execution, value, site)
  if (isBytes(value)) readWhole(execution, value, site)
  else readInside(execution, value, site)
}

function lookInto(execution: Execution, value: unknown, site: SiteId): void {
  if (typeof value !== 'object' || value === null) return
  if (!isProxy(value) && isBytes(value)) return
  const subject = subjectOfLook(execution, value, site)
  if (!subject) return
  lookAtKeys(execution, subject, site)
  if (!isProxy(subject)) for (const key of Object.keys(subject)) if (Reflect.getOwnPropertyDescriptor(subject, key)?.get) tellGetter(execution, subject, key, site)
  const { assignable } = execution.identities.assumptions
  // A getter runs before it is told that its property was written; where one may be another, that is looked at before.
  if (assignable.hasLost) for (const key of Reflect.ownKeys(subject)) if (!assignable.has(key)) recordRead(execution, subject, key, site, true, 'presence')
}

/** All that it makes is new, from the inside out. */
const parse: Handler = (execution, receiver, args) => {
  const [text, reviver, ...others] = args
  if (typeof reviver !== 'function') {
    const value = Reflect.apply(JSON.parse as Fn, receiver, args)
    nameNew(execution, value)
    return value
  }
  const watched = calledByProgram(function (this: unknown, ...given: unknown[]): unknown {
    for (const made of [this, given[1]]) if (isObject(made)) execution.identities.made(made)
    return Reflect.apply(reviver, this, given)
  })
  return Reflect.apply(JSON.parse as Fn, receiver, [text, watched, ...others])
}

export function jsonHandlers(): [Fn, Handler][] {
  return [
    [JSON.stringify, stringify],
    [JSON.parse, parse],
  ]
}
