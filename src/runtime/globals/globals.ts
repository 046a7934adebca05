import { Object, Reflect } from '../../engine/intrinsics.ts'
import { forgetNumbers } from '../execution/timer-numbers.ts'
import { storagePrototype, useContexts } from '../execution/contexts.ts'
import { onGiveBack } from '../execution/native.ts'
import { areKeptApart, calledByProgram, callOwn } from '../execution/replaced-tools.ts'
import { running } from '../execution/running.ts'
import { keepMoreFrames } from '../execution/stack-frames.ts'
import { lookAtImports } from '../accesses/packages.ts'
import { kindOf, prepareKinds, standsForPlatform } from '../accesses/function-kinds.ts'
import { knowPolyfills } from '../accesses/polyfills.ts'
import { isMock, type Mock } from '../accesses/mocks.ts'
import { originalOf } from '../accesses/spies.ts'
import { handlerOf, register } from '../accesses/registry.ts'
import { cloneThrough } from '../accesses/structured-clone.ts'
import { nameProcess } from '../accesses/process-state.ts'
import { placeOf, takeOverClocks } from './fake-timers.ts'
import { clockPatches, controlTimeOrigin } from './clock-functions.ts'
import { measurePatches } from './measures.ts'
import { referencePatches } from './references.ts'
import { bytesFunction, fillFunction, numberFunction, uuidFunction, valuesFunction } from './random.ts'
import { lookupFunction } from './names.ts'
import { promisified, sleepFunction, ticksFunction, waitFunction, yieldFunction } from './timer-promises.ts'
import { watchNewEmitters } from './new-emitters.ts'
import { watchTicks } from './ticks.ts'
import { watchWarnings } from './warnings.ts'
import { giveBackBuiltIns, watchBuiltIns } from './watched-built-ins.ts'
import { watchReactions } from './watched-reactions.ts'
import {
  asideFunction, clearFunction, frameFunction, immediateFunction, timeoutSignal, timerFunction, type AnyFunction,
} from './timers.ts'

export interface Patch {
  readonly target: any
  /** What holds the same functions. */
  readonly like?: object
  readonly key: string
  /** The only function in whose place it may stand. */
  readonly only?: unknown
  readonly make: (native: any) => AnyFunction
  /** Modules hand it on to who imports it, which takes its time to keep up to date: it stays there. */
  readonly stays?: boolean
  /** It stands there from the start, for timers that are set before anything is explored. */
  readonly setsTimers?: boolean
}

/** What is patched may be replaced as a whole between explorations. */
interface Targets {
  readonly crypto: unknown
  readonly signals: unknown
  readonly aside: object | undefined
}

let lastTargets: Targets | undefined
let lastPatches: readonly Patch[] = []

function patches(): readonly Patch[] {
  const now: Targets = { crypto: globalThis.crypto, signals: globalThis.AbortSignal, aside: timersAside() }
  if (lastTargets && lastTargets.crypto === now.crypto && lastTargets.signals === now.signals && lastTargets.aside === now.aside) return lastPatches
  lastTargets = now
  return (lastPatches = patchesOf(now))
}

function patchesOf({ crypto, signals, aside }: Targets): Patch[] {
  const global: any = globalThis
  const list: Patch[] = [
    ...timerPatches(global),
    { target: global, key: 'requestAnimationFrame', make: frameFunction },
    { target: global, key: 'cancelAnimationFrame', make: clearFunction },
    ...modulePatches(),
    ...clockPatches(),
    ...measurePatches(),
    ...referencePatches(),
    ...contextPatches(),
    { target: signals, key: 'timeout', make: timeoutSignal, stays: true, setsTimers: true },
    { target: global, key: 'structuredClone', make: cloneFunction },
    { target: globalThis.Math, key: 'random', make: (native) => () => running?.random.next(running.process.id) ?? native() },
    { target: crypto, key: 'randomUUID', make: uuidFunction },
    { target: crypto, key: 'getRandomValues', make: valuesFunction },
  ]
  if (!aside) return list
  return [
    ...list,
    { target: aside, key: 'setTimeout', make: (native) => asideFunction(native, { repeats: false }) },
    { target: aside, key: 'setInterval', make: (native) => asideFunction(native, { repeats: true }) },
    { target: aside, key: 'clearTimeout', make: clearFunction },
    { target: aside, key: 'clearInterval', make: clearFunction },
  ]
}

/** From the first context on that holds something, callbacks are called in theirs. */
function contextPatches(): Patch[] {
  return storagePrototype ? ['run', 'enterWith'].map((key) => ({ target: storagePrototype, key, make: contextFunction })) : []
}

function contextFunction(native: AnyFunction): AnyFunction {
  return function (this: unknown, ...args: unknown[]) {
    if (running !== null) useContexts()
    return Reflect.apply(native, this, args) as unknown
  }
}

function timerPatches(target: object): Patch[] {
  return [
    { target, key: 'setTimeout', make: (native) => promisified(timerFunction(native, { repeats: false }), native), stays: true, setsTimers: true },
    { target, key: 'setInterval', make: (native) => timerFunction(native, { repeats: true }), stays: true, setsTimers: true },
    { target, key: 'setImmediate', make: (native) => promisified(immediateFunction(native), native) },
    ...['clearTimeout', 'clearInterval', 'clearImmediate'].map((key) => ({ target, key, make: clearFunction })),
  ]
}

/** Node's modules for timers and random numbers. */
function modulePatches(): Patch[] {
  const process = globalThis.process as NodeJS.Process | undefined
  const timers = process?.getBuiltinModule?.('node:timers')
  const promises = process?.getBuiltinModule?.('node:timers/promises')
  const random = process?.getBuiltinModule?.('node:crypto')
  const names = process?.getBuiltinModule?.('node:dns')
  if (!timers || !promises || !random) return []
  const list: Patch[] = [
    { target: promises, key: 'setTimeout', make: (native) => sleepFunction(native, { isImmediate: false }) },
    { target: promises, key: 'setImmediate', make: (native) => sleepFunction(native, { isImmediate: true }) },
    { target: promises, key: 'setInterval', make: ticksFunction },
    { target: promises.scheduler, key: 'wait', make: waitFunction },
    { target: promises.scheduler, key: 'yield', make: yieldFunction },
    { target: names, key: 'lookup', make: lookupFunction },
    { target: random, key: 'randomBytes', make: bytesFunction },
    { target: random, key: 'randomFillSync', make: fillFunction },
    { target: random, key: 'randomInt', make: numberFunction },
    { target: random, key: 'randomUUID', make: uuidFunction },
  ]
  return [...timerPatches(timers).map((patch) => ({ ...patch, like: globalThis })), ...list].map((patch) => ({ ...patch, stays: true }))
}

/** What Vitest keeps of the global object, so that nothing a test does there changes it. */
function timersAside(): object | undefined {
  asideKey ??= Object.getOwnPropertySymbols(globalThis).find(({ description }) => description === 'vitest:SAFE_TIMERS')
  return asideKey && (Reflect.get(globalThis, asideKey) as object | undefined)
}

let asideKey: symbol | undefined

function cloneFunction(native: AnyFunction): AnyFunction {
  return (...args: unknown[]) =>
    running === null ? Reflect.apply(native, undefined, args) : cloneThrough(running, native, args, running.call?.site ?? 0)
}

/** Who took the original before it was replaced, in a variable of a module, calls the controlled one from instrumented code. */
function calledAs(native: AnyFunction, controlled: AnyFunction): void {
  if (!handlerOf(native)) register([[native, (_, receiver, args) => callOwn(controlled, receiver, args) as unknown]])
}

type Versions = WeakMap<object, WeakMap<AnyFunction, AnyFunction>>

/** By what holds the function in whose place it stands, and by that function: the same in every exploration. */
const controlledVersions: Versions = new WeakMap()
/** The same, of explorations in which the program replaces what the runtime works with. */
const versionsApart: Versions = new WeakMap()
const allControlled = new WeakSet<AnyFunction>()
/** In whose place those stand that may still be there when the program replaces what the runtime works with. */
const originals = new WeakMap<AnyFunction, AnyFunction>()

function controlledVersion({ target, like = target, make }: Patch, native: AnyFunction): AnyFunction {
  const all = areKeptApart ? versionsApart : controlledVersions
  let versions = all.get(like as object)
  if (!versions) all.set(like as object, (versions = new WeakMap()))
  const known = versions.get(native)
  if (known) return known
  const controlled = apart(make(native))
  standsForPlatform(controlled)
  calledAs(native, controlled)
  for (const key of ['name', 'length'] as const) Object.defineProperty(controlled, key, { value: native[key], configurable: true })
  versions.set(native, controlled)
  allControlled.add(controlled)
  if (!areKeptApart) originals.set(controlled, native)
  return controlled
}

/** Constructors stay as they are: what they do tells the time, and no more. */
function apart(controlled: AnyFunction): AnyFunction {
  const isConstructor = Object.getOwnPropertyDescriptor(controlled, 'prototype')?.writable === false
  return areKeptApart && !isConstructor ? Object.defineProperties(calledByProgram(controlled), Object.getOwnPropertyDescriptors(controlled)) : controlled
}

/** What an exploration has found where it put a controlled version. The next one mostly finds the same, and need not look as closely. */
interface Found {
  readonly native: unknown
  readonly controlled: AnyFunction
  readonly release: () => void
}

const foundLast = new WeakMap<Patch, Found>()

/** Puts the controlled version in its place; returns what takes it off again, or undefined where it is there. */
function control(patch: Patch): (() => void) | undefined {
  const { target, key } = patch
  const found: unknown = target?.[key]
  const last = areKeptApart ? undefined : foundLast.get(patch)
  if (last !== undefined && found === last.native && Reflect.set(target, key, last.controlled)) return last.release
  if (typeof found !== 'function' || isInPlace(found as AnyFunction)) return undefined
  const { holder, name } = placeOf(target as object, key)
  const native: unknown = Reflect.get(holder, name)
  if (isMock(native)) return controlCalledBy(native, patch)
  if (typeof native !== 'function' || isInPlace(native as AnyFunction) || (patch.only ?? native) !== native || isOfProgram(native)) return undefined
  const own = Object.getOwnPropertyDescriptor(holder, name)
  const controlled = controlledVersion(patch, originals.get(native as AnyFunction) ?? (native as AnyFunction))
  Object.defineProperty(holder, name, { value: controlled, configurable: true, writable: true, enumerable: own?.enumerable ?? true })
  const isSimple = holder === target && own?.writable === true && own.configurable === true
  const release = (): void => {
    if (Reflect.get(holder, name) === controlled && !isSimple) putBack(holder, name, own)
    // It has stood there as a value; or a fake clock was there, and is there no more.
    else if (target[key] === controlled) target[key] = native
  }
  if (isSimple && !areKeptApart) foundLast.set(patch, { native, controlled, release })
  return release
}

/** Whether it is controlled as this exploration has it. */
const isInPlace = (fn: AnyFunction): boolean => allControlled.has(fn) && !(areKeptApart && originals.has(fn))

/** A function of the program's own that stands in the place of the platform's, from a hook for instance: that is what the body is to find. */
const isOfProgram = (fn: object): boolean => kindOf(fn as AnyFunction) === 'own'

/** The same of a spy. What it calls when it has nothing else to do becomes the controlled version. */
function controlCalledBy(spy: Mock, patch: Patch): (() => void) | undefined {
  const { getMockImplementation, mockImplementation } = spy
  const original = originalOf(spy)
  if (!original || getMockImplementation() !== undefined || isInPlace(original)) return undefined
  const controlled = controlledVersion(patch, originals.get(original) ?? original)
  mockImplementation(controlled)
  return () => {
    if (getMockImplementation() === controlled) mockImplementation(undefined)
  }
}

/** What takes off again what stays between explorations. */
const staying: (() => void)[] = []

function giveBack(): void {
  for (const restore of staying.splice(0)) restore()
  giveBackBuiltIns()
  syncBuiltinModules()
}

/** Timers are known from now on, those as well that are set before anything is explored. */
export function watchTimers(): void {
  // What is of the platform is found out while all of that is there.
  prepareKinds()
  onGiveBack(giveBack)
  for (const patch of patches()) {
    if (!patch.setsTimers) continue
    const release = control(patch)
    if (release) staying.push(release)
  }
  syncBuiltinModules()
}

/**
 * Puts the controlled versions on the global object; returns what takes them off again. Between
 * steps they do what the originals do, so the test runner's own timers stay real.
 */
export function patchGlobals(): () => void {
  prepareKinds()
  knowPolyfills()
  lookAtImports()
  const undo: (() => void)[] = []
  nameProcess()
  onGiveBack(giveBack)
  let isImported = watchBuiltIns()
  for (const patch of patches()) {
    const release = control(patch)
    if (!release) continue
    if (patch.stays) isImported = true
    ;(patch.stays && !areKeptApart ? staying : undo).push(release)
  }
  undo.push(keepMoreFrames(), watchReactions(), watchNewEmitters(), watchTicks(), watchWarnings(), takeOverClocks(), controlTimeOrigin())
  if (isImported) syncBuiltinModules()
  return () => {
    for (const restore of undo) restore()
    forgetNumbers()
  }
}

function putBack(holder: object, name: string, own: PropertyDescriptor | undefined): void {
  if (own) Object.defineProperty(holder, name, own)
  else Reflect.deleteProperty(holder, name)
}

/** Makes `import { setTimeout } from 'node:timers/promises'` see the change. */
function syncBuiltinModules(): void {
  const module = globalThis.process?.getBuiltinModule?.('node:module')
  module?.syncBuiltinESMExports()
}
