import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { Execution } from '../execution/execution.ts'
import { areKeptApart, asRuntime } from '../execution/replaced-tools.ts'
import { running } from '../execution/running.ts'
import { convertsLike } from './converted-arguments.ts'
import type { Member } from './family.ts'
import { USED, type Fn, type Handler } from './handler.ts'
import { isMatcherEvent } from './test-api.ts'

/**
 * Versions of built-ins that stand in their place from the first exploration on, so that what code that is not instrumented calls
 * is told too. Between steps they do what the originals do.
 */

/** A call that is under way and has told what these functions, called on this receiver, would tell again. */
interface Told {
  readonly receiver: unknown
  readonly parts: readonly unknown[]
}

let told: Told | undefined

/** Runs the rest of a call that was told: what it calls of its own class, on the same object, is part of it. */
export function asPart<T>(now: Told | undefined, run: () => T): T {
  const before = told
  told = now
  try {
    return run()
  } finally {
    told = before
  }
}

function isTold(receiver: unknown, native: Fn): boolean {
  return told !== undefined && told.receiver === receiver && told.parts.includes(native)
}

let isUntold = false

/** What runs now calls nothing that anybody has written down for it to call. */
export function untold<T>(run: () => T): T {
  const before = isUntold
  isUntold = true
  try {
    return run()
  } finally {
    isUntold = before
  }
}

/** Objects that opaque code uses for its own ends, whatever happens in the program: the streams of the console. */
const unheard = new WeakSet<object>()

/** Calls by opaque code on this object are not told. */
export function neverTell(object: object): void {
  unheard.add(object)
}

/** Which calls of a function are the program's, whoever made what it is called on. */
const heardAnyway = new Map<Fn, (args: readonly unknown[]) => boolean>()

/** From now on such calls are told also of what the execution has not met. */
export function hearAnyway(native: Fn, isHeard: (args: readonly unknown[]) => boolean): void {
  heardAnyway.set(native, isHeard)
}

/** A stream, or a server, that this execution has not met may be at work for anybody, and go on with it in the ticks of any step. */
function isUnheard(execution: Execution, { receiver, native, args }: { readonly receiver: unknown; readonly native: Fn; readonly args: readonly unknown[] }): boolean {
  if (typeof receiver !== 'object' || receiver === null) return false
  return unheard.has(receiver) || (goesOnInTicks(receiver) && !execution.identities.has(receiver) && heardAnyway.get(native)?.(args) !== true)
}

const goesOnInTicks = (object: object): boolean => '_readableState' in object || '_writableState' in object || '_connections' in object

/** Hears of a call before it is made; what it returns is called after that. Or the call is not made at all, and gives what is said. */
export type Hearing = (receiver: unknown, args: readonly unknown[]) => (() => void) | { readonly returns: unknown } | void

/** Who hears of calls by the platform between steps. */
const heardBetween = new Map<Fn, Hearing>()

/** From now on calls of a watched function between steps are heard of. */
export function hearBetween(native: Fn, hears: Hearing): void {
  heardBetween.set(native, hears)
}

const versions = new Map<Fn, Fn>()
const allVersions = new WeakSet<Fn>()

/** Whether it is one of those, and stands for what it calls. */
export const isVersion = (fn: Fn): boolean => allVersions.has(fn)

/** The version that tells; always the same one for a function. */
export function watched({ native, handler }: Pick<Member, 'native' | 'handler'>): Fn {
  let version = versions.get(native)
  if (!version) versions.set(native, (version = versionOf(native, handler)))
  return version
}

function versionOf(native: Fn, handler: Handler): Fn {
  // A method, which like most built-ins cannot be constructed.
  const { version } = {
    version(this: unknown, ...args: unknown[]): unknown {
      if (running === null) {
        const after = heardBetween.get(native)?.(this, args)
        if (!after) return Reflect.apply(native, this, args)
        if (typeof after === 'object') return after.returns
        try {
          return Reflect.apply(native, this, args)
        } finally {
          after()
        }
      }
      if (isUntold || isTold(this, native) || isUnheard(running, { receiver: this, native, args }) || isMatcherEvent(this) || isMatcherEvent(args[0])) return Reflect.apply(native, this, args)
      const { accesses } = running
      const compares = accesses.comparesValues
      accesses.comparesValues = false
      try {
        const { call } = running
        return areKeptApart ? asRuntime(() => handler(running!, this, args, call?.site ?? 0, USED)) : handler(running, this, args, call?.site ?? 0, USED)
      } finally {
        accesses.comparesValues = compares
      }
    },
  }
  Object.defineProperty(version, 'name', { value: native.name, configurable: true })
  Object.defineProperty(version, 'length', { value: native.length, configurable: true })
  convertsLike(version, native)
  allVersions.add(version)
  return version
}
