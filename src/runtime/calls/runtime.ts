import { ArrayBuffer, Object, Reflect } from '../../engine/intrinsics.ts'
import { generate } from '../promises/async-generator.ts'
import { disposedAsync } from '../promises/async-disposal.ts'
import { iterateAsync } from '../promises/async-iteration.ts'
import { returned, run, suspend } from '../promises/async-call.ts'
import { drive, forwards, waits } from '../promises/driven.ts'
import { promiseOfThenable } from '../promises/resolving.ts'
import { imported } from '../events/from-outside.ts'
import { asynchronous, asynchronousOnce, isAsynchronous, withAsyncMethods } from '../execution/asynchronous.ts'
import { knowsTexts, type Emitted, type Texts } from './emitted.ts'
import { takeEarly, type Told } from './early-files.ts'
import { countUpTo, setExploring } from './flags.ts'
import type { Execution } from '../execution/execution.ts'
import type { Recorder } from '../execution/recording.ts'
import { rememberDriver } from '../execution/loaded-drivers.ts'
import { keepVariables } from '../execution/kept-variables.ts'
import { isOutOfStack, nameThrown } from '../execution/thrown.ts'
import { besideSteps, running } from '../execution/running.ts'
import { isExpectedToChange } from '../execution/unchanged-keys.ts'
import { isAboutThrown, lookByMatcher } from '../accesses/assertions.ts'
import { lookAtBuiltIn } from '../accesses/built-in-looks.ts'
import { coerced } from '../accesses/coercions.ts'
import { construct } from '../accesses/construct.ts'
import { kindOf } from '../accesses/function-kinds.ts'
import { UNUSED, USED, type Fn } from '../accesses/handler.ts'
import { rememberImports, rememberLeft } from '../accesses/packages.ts'
import { registerBuiltIns } from '../accesses/handlers.ts'
import { driveByConnectionPools } from '../drivers/connection-pools.ts'
import { driveByMysql2 } from '../drivers/mysql/mysql2.ts'
import { driveByPglite } from '../drivers/postgres/pglite/hooks.ts'
import { driveByPg } from '../drivers/postgres/pg/hooks.ts'
import { driveByPrisma } from '../drivers/prisma.ts'
import { driveByIoredis } from '../drivers/redis/ioredis.ts'
import { driveByMock } from '../drivers/redis/mock.ts'
import { driveBySqlite } from '../drivers/sqlite/databases.ts'
import { driveByNodeRedis } from '../drivers/redis/node-redis.ts'
import { driveByPostgres } from '../drivers/postgres/postgres-js/hooks.ts'
import { drawWithoutPools } from '../globals/random-pools.ts'
import { noticeFetch } from '../accesses/fetches.ts'
import { invoke, needsInvoke, standIn } from '../accesses/invoke.ts'
import { findProperty } from '../accesses/lookup.ts'
import { judgeTextsBy } from '../accesses/closed-functions.ts'
import { instrumentTextsBy, isMaker, makeFunction } from '../accesses/made-functions.ts'
import { calledOutside, callsFunctions } from '../accesses/reflection.ts'
import { isConstructor } from '../execution/constructible.ts'
import { namePermanently } from '../execution/permanent-names.ts'
import { inert } from './inert.ts'
import { base, checkAsyncIterable, checkPattern, notAFunction } from './messages.ts'
import { property as propertyKey } from '../execution/keys.ts'
import { isProxy, rawOf } from '../execution/proxies.ts'
import { tellImplicit } from '../accesses/implicit-calls.ts'
import { lookAtInherited, lookAtInheritedKeys, lookAtInstance, lookAtPrimitive } from '../accesses/inheritance.ts'
import { beginIncrease, increaseProperty, incrementNumber } from '../accesses/increases.ts'
import { iterate } from '../accesses/iteration.ts'
import { isLive, readImported, rememberExports } from '../accesses/live-bindings.ts'
import { recordElement, recordPattern } from '../accesses/patterns.ts'
import { tellTraps } from '../accesses/opaque-traps.ts'
import { readField, readMethod, readProperty, removeProperty, writeProperty } from '../accesses/properties.ts'
import { lookAtStackLimit } from '../accesses/stack-limit.ts'
import { changed, isObject, keyOf, recordRead } from '../accesses/telling.ts'
import { lookForGetter, superRead, superWritten } from '../accesses/supers.ts'
import { registerAside, registerFile } from '../execution/sources.ts'
import { findNoNumber, increaseVariable, newScope, olderScope, readVariable, writeVariable } from '../accesses/variables.ts'
import { enumerateProperties } from '../accesses/whole.ts'

registerBuiltIns(untold)
driveByPg()
driveByPglite()
driveByConnectionPools()
driveByIoredis()
driveByNodeRedis()
driveByMysql2()
driveByMock()
driveBySqlite()
driveByPostgres()
driveByPrisma()
drawWithoutPools()
const texts = (): Texts | undefined => Reflect.get(globalThis, knowsTexts) as Texts | undefined
instrumentTextsBy((script, name) => texts()?.instrument(script, name))
judgeTextsBy((text) => texts()?.stateOf(text) ?? 'shared')

/** What calls do that have nothing to tell. */
export const plain: Emitted = { ...inert }

function remember([imports, exports, assigned]: Told): void {
  if (imports) rememberImports(imports)
  if (exports) rememberExports(exports)
  if (assigned) for (const key of assigned) isExpectedToChange(propertyKey(key))
}

/** Files that were loaded before this runtime was. */
export function rememberEarlyFiles(): void {
  for (const told of takeEarly()) remember(told)
}

/** Code that runs in a step as it does outside. */
function untold<T>(code: () => T): T {
  setExploring(false)
  try {
    return besideSteps(code)
  } finally {
    setExploring(true)
  }
}

/** The calls of instrumented code: the original's meaning, and a record of it while a step of an exploration runs. */
export const runtime: Emitted = {
  file(name, places, count, ...told) {
    remember(told)
    const first = registerFile(name, places, count, told[3])
    countUpTo(first + count)
    return first
  },

  left: rememberLeft,
  keeps: keepVariables,
  connects: rememberDriver,
  aside: registerAside,
  defining: inert.defining,
  defined: inert.defined,

  loads: (code) => (running === null ? code() : untold(code)),

  made(value, site, methods) {
    if (methods) withAsyncMethods(value as object, methods)
    if (running !== null) {
      if (isObject(value)) {
        running.identities.made(value)
        running.recorder?.owners.made(value, site)
        lookAtStackLimit(running, value, site)
      }
      return value
    }
    if (isObject(value)) namePermanently(value, site)
    return value
  },

  asynchronous,
  asynchronousOnce,
  asynchronousMembers: withAsyncMethods,
  base,

  closure(fn) {
    if (running !== null && isObject(fn)) running.identities.made(fn)
    return fn
  },

  callee(fn, site, unused) {
    return running === null && typeof fn === 'function' ? fn : calleeOf(fn, site, unused)
  },

  method(object, key, site) {
    if (running === null || object === null || object === undefined) return plain.method(object, key, site)
    const fn = readMethod(running, object, key, site)
    return (...args: unknown[]) => runtime.invoke(fn, object, site, args)
  },

  invoke(fn, receiver, site, args, unused) {
    if (running === null && isMaker(fn)) return makeFunction(fn, args, site)
    if (running === null || typeof fn !== 'function') return plain.invoke(fn, receiver, site, args)
    running.cut.countDone()
    return invoke(running, fn as Fn, receiver, args, site, unused ? UNUSED : USED)
  },

  get isReplaced() {
    return running !== null && running.identities.assumptions.fixed.hasLost
  },

  builtIn(object, key, site, called) {
    if (running !== null) lookAtBuiltIn(running, object, key, { site, isCalled: called === true })
  },

  look(value, site, matcher, settled) {
    if (running === null) return value
    if (settled) return lookedAtWhenSettled(value, site, matcher) as typeof value
    lookByMatcher(running, matcher, { value }, site)
    return typeof value === 'function' && isAboutThrown(matcher) ? (lookingAtThrown(value as Fn, site) as typeof value) : value
  },

  asserted(matcher, site, given, args) {
    if (running === null) return args
    const [value, ...expected] = [...given, ...args]
    lookByMatcher(running, matcher, { value, expected }, site)
    if (given.length === 0 && typeof value === 'function' && isAboutThrown(matcher)) return [lookingAtThrown(value as Fn, site), ...expected] as typeof args
    return args
  },

  settles(assertion, site) {
    return running !== null && isObject(assertion) ? (promiseOfThenable(running, assertion, site) as typeof assertion) : assertion
  },

  coerced(value, site, also) {
    if (running === null) return value
    coerced(running, also, site)
    coerced(running, value, site)
    return value
  },

  noConstructor: inert.noConstructor,

  construct(constructor, site, args) {
    const execution = running
    if (execution !== null && isConstructor(constructor)) {
      const made = construct(execution, constructor, args, site)
      execution.recorder?.owners.made(made, site)
      return made
    }
    const object = isMaker(constructor) ? makeFunction(constructor, args, site) : plain.construct(constructor, site, args)
    if (isObject(object)) namePermanently(object, site)
    if (ArrayBuffer.isView(object) && object.buffer !== args[0]) namePermanently(object.buffer, site)
    return object
  },

  get(object, key, site) {
    if (running === null) return plain.get(object, key, site)
    running.cut.countDone()
    if (isObject(object)) return readProperty(running, object, key, site)
    if (object === null || object === undefined) return plain.get(object, key, site)
    const name = keyOf(key)
    lookAtPrimitive(running, object, name, site)
    return plain.get(object, name, site)
  },

  set(object, key, value, site) {
    if (running === null || !isObject(object)) return plain.set(object, key, value, site)
    running.cut.countDone()
    writeProperty(running, object, key, value, site)
    return value
  },

  update(object, key, site, next) {
    if (running === null || !isObject(object)) return plain.update(object, key, site, next)
    running.cut.countDone()
    const property = keyOf(key)
    const old: unknown = readProperty(running, object, property, site)
    coerced(running, old, site)
    const value = next(old)
    writeProperty(running, object, property, value, site)
    return value
  },

  assignIf(object, key, site, operator, value) {
    if (running === null || !isObject(object)) return plain.assignIf(object, key, site, operator, value)
    running.cut.countDone()
    const property = keyOf(key)
    const old: unknown = readProperty(running, object, property, site)
    const isKept = operator === '??' ? old !== null && old !== undefined : operator === '||' ? Boolean(old) : !old
    if (isKept) return old
    const next = value()
    writeProperty(running, object, property, next, site)
    return next
  },

  increment(object, key, site, by, prefix, unused) {
    if (running === null || !isObject(object)) return plain.increment(object, key, site, by, prefix)
    running.cut.countDone()
    const property = keyOf(key)
    if (unused && incrementNumber(running, object, property, site, by)) return
    const read = readProperty(running, object, property, site)
    const old = typeof read === 'bigint' ? read : Number(read)
    const next = incremented(old, by)
    writeProperty(running, object, property, next, site)
    return prefix ? next : old
  },

  increasing(object, key, site, sign) {
    if (running === null || !isObject(object)) return plain.increasing(object, key, site, sign)
    running.cut.countDone()
    return beginIncrease(running, object, key, site, sign)
  },

  increased(found, operand) {
    if (running === null || !isObject(found.object)) plain.increased(found, operand)
    else increaseProperty(running, found, operand)
  },

  reading(object, key, site) {
    if (running === null || !isObject(object)) return plain.reading(object, key, site)
    running.cut.countDone()
    const property = keyOf(key)
    return { object, key: property, site, old: readProperty(running, object, property, site) }
  },

  assigned(found, value) {
    if (running === null || !isObject(found.object)) return plain.assigned(found, value)
    writeProperty(running, found.object, found.key, value, found.site)
    return value
  },

  remove(object, key, site) {
    if (running === null || !isObject(object)) return plain.remove(object, key, site)
    running.cut.countDone()
    return removeProperty(running, object, key, site)
  },

  has(key, object, site) {
    if (running === null || !isObject(object)) return plain.has(key, object, site)
    running.cut.countDone()
    const name = keyOf(key)
    const isThere = plain.has(name, object, site)
    lookedFor(running, object, { name, isThere }, site)
    return isThere
  },

  instanceOf(value, type, site) {
    const result = plain.instanceOf(value, type, site)
    if (running !== null) {
      lookAtInstance(running, value, type as object, site)
      tellImplicit(running, type as object, Symbol.hasInstance, site)
    }
    return result
  },

  call(object, key, site, args, unused) {
    const execution = running
    if (execution === null) return (callsFunctions(key) && calledOutside(object, object[key], args, site)) || inert.call(object, key, site, args)
    if (object === null || object === undefined) return inert.call(object, key, site, args)
    execution.cut.countDone()
    const fn = readMethod(execution, object, key, site)
    if (typeof fn !== 'function') throw notAFunction(site, key)
    if (key === 'fetch' && object === globalThis) noticeFetch(fn)
    return invoke(execution, fn as Fn, object, args, site, unused ? UNUSED : USED)
  },

  found(object, key, site) {
    if (running === null || object === null || object === undefined) return inert.found(object, key, site)
    return { object, key, fn: readMethod(running, object, key, site), site }
  },

  callFound(found, args, unused) {
    const { object, key, fn, site } = found
    if (running === null) return calledOutside(object, fn, args, site) ?? inert.callFound(found, args)
    running.cut.countDone()
    if (typeof fn !== 'function') throw notAFunction(site, key)
    return invoke(running, fn as Fn, object, args, site, unused ? UNUSED : USED)
  },

  callIf(object, key, site, args, rest, unused) {
    const execution = running
    if (execution === null || object === null || object === undefined) return inert.callIf(object, key, site, args, rest)
    execution.cut.countDone()
    const fn = readMethod(execution, object, key, site)
    if (fn === null || fn === undefined) return undefined
    const given = args()
    if (typeof fn !== 'function') throw notAFunction(site, key)
    const result = invoke(execution, fn as Fn, object, given, site, unused ? UNUSED : USED)
    return rest ? rest(result) : result
  },

  optional: inert.optional,
  given: inert.given,

  reference(object, key, site) {
    return {
      get value() {
        return runtime.get(object, key, site)
      },
      set value(value) {
        runtime.set(object, key, value, site)
      },
    }
  },

  superGet(receiver, key, site, value) {
    if (running === null || !isObject(receiver)) return value
    running.cut.countDone()
    superRead(running, receiver, { key, value, site })
    return value
  },

  caught(error) {
    if (running === null) return
    if (isOutOfStack(error)) running.hasRunOutOfStack = true
    // Where a step is an event, the platform hands on to several what a promise was rejected with.
    if (!running.events) nameThrown(running.identities, error)
  },

  showing: inert.showing,
  superKey: keyOf,

  superLook(receiver, key, site) {
    if (running !== null && isObject(receiver)) lookForGetter(running, receiver, keyOf(key), site)
    return site
  },

  superSet(receiver, key, site, value, assign) {
    if (running === null || !isObject(receiver)) return inert.superSet(receiver, key, site, value, assign)
    running.cut.countDone()
    superWritten(running, receiver, { key, value, site }, assign)
    return value
  },

  superIncrement(receiver, key, site, old, by, prefix, assign) {
    return inert.superIncrement(receiver, key, site, old, by, prefix, (name, value) => runtime.superSet(receiver, name, site, value, assign))
  },

  superReference(receiver, key, site, assign) {
    return inert.superReference(receiver, key, site, (name, value) => runtime.superSet(receiver, name, site, value, assign))
  },

  privateGet(object, key, site, value) {
    if (running === null) return value
    running.cut.countDone()
    readField(running, object, key, site, value)
    return value
  },

  privateSet(object, key, site, find, value, restore) {
    if (running === null) return value
    running.cut.countDone()
    let old: unknown
    try {
      old = find(object)
    } catch {
      return value
    }
    setPrivate(running, object, key, { site, old, value, restore })
    return value
  },

  privateIncrements(object, key, site, old, by, restore, unused) {
    if (running === null) return
    running.cut.countDone()
    if (unused && typeof old === 'number') return increasePrivate(running, object, key, { site, found: old, amount: by, restore })
    if (unused) running.accesses.findNoNumber(running.identities.of(object), propertyKey(key), site)
    runtime.privateGet(object, key, site, old)
    setPrivate(running, object, key, { site, old, value: incremented(old, by), restore })
  },

  privateIncreases(object, key, site, old, sign, operand, restore) {
    const value: unknown = sign === 1 ? old + operand : old - operand
    if (running === null) return value
    running.cut.countDone()
    if (typeof old === 'number' && typeof operand === 'number') {
      increasePrivate(running, object, key, { site, found: old, amount: sign * operand, restore })
      return value
    }
    running.accesses.findNoNumber(running.identities.of(object), propertyKey(key), site)
    runtime.privateGet(object, key, site, old)
    coerced(running, old, site)
    setPrivate(running, object, key, { site, old, value, restore })
    return value
  },

  privatesGiven(object, keys, site) {
    if (running === null || running.identities.isOfRunningStep(running.identities.of(object))) return
    for (const key of keys) changed(running, object, propertyKey(key), site, undefined)
  },

  privateLook(object, key, site) {
    if (running !== null && isObject(object)) recordRead(running, object, key, site, undefined, 'presence')
    return site
  },

  privateHas(object, key, site, isThere) {
    if (running !== null) recordRead(running, object as object, key, site, isThere, 'presence')
    return isThere
  },

  privateReference(object, key, site, get, set) {
    return {
      get value() {
        return runtime.privateGet(object, key, site, get())
      },
      set value(value) {
        runtime.privateSet(object, key, site, get, value, (_object, old) => set(old))
        set(value)
      },
    }
  },

  pattern(value, shape) {
    checkPattern(value, shape)
    if (running === null) return value
    running.cut.countDone()
    recordPattern(running, value, shape)
    return value
  },

  iterate(iterable, site, elements) {
    const walked = iterate(iterable, site, elements)
    return walked === iterable ? inert.iterate(iterable, site, elements) : (walked as typeof iterable)
  },

  iterable: inert.iterable,
  asyncIterable: inert.asyncIterable,
  taken: inert.taken,

  enumerate(object, site, inherited) {
    if (running !== null && isObject(object)) {
      enumerateProperties(running, object, site)
      if (inherited && !isProxy(object)) lookAtInheritedKeys(running, object, site)
    }
    return object
  },

  scope: newScope,
  older: olderScope,

  read(scope, name, site, value) {
    if (running === null) return value
    running.cut.countDone()
    readVariable(running, scope, name, site, value)
    return value
  },

  global(name, site, value) {
    if (running === null) return value
    running.cut.countDone()
    recordRead(running, globalThis, name, site, value)
    if (name === 'fetch') noticeFetch(value)
    return value
  },

  write(scope, name, site, old, value, restore) {
    if (running === null) return value
    running.cut.countDone()
    writeVariable(running, { scope, name, site, old, value, restore })
    return value
  },

  increments(scope, name, site, old, by, restore, unused) {
    if (running === null) return
    running.cut.countDone()
    const written = { scope, name, site, old, value: incremented(old, by), restore }
    if (unused && typeof old === 'number') return increaseVariable(running, written, by)
    if (unused) findNoNumber(running, written)
    readVariable(running, scope, name, site, old)
    coerced(running, old, site)
    writeVariable(running, written)
  },

  increases(scope, name, site, old, sign, operand, restore) {
    const value: unknown = sign === 1 ? old + operand : old - operand
    if (running === null) return value
    running.cut.countDone()
    const written = { scope, name, site, old, value, restore }
    if (typeof old === 'number' && typeof operand === 'number') {
      increaseVariable(running, written, sign * operand)
      return value
    }
    findNoNumber(running, written)
    readVariable(running, scope, name, site, old)
    coerced(running, old, site)
    writeVariable(running, written)
    return value
  },

  variable(scope, name, site, get, set) {
    return {
      get value() {
        return runtime.read(scope, name, site, get())
      },
      set value(value) {
        if (running !== null) writeVariable(running, { scope, name, site, old: get(), value, restore: set })
        set(value)
      },
    }
  },

  live(name, site, value) {
    if (running !== null && isLive(name)) readImported(running, name, { site, value })
    return value
  },

  paired(value, setter, site) {
    running?.recorder?.pairs.read(setter, value, site)
    return value
  },

  pair(list, site) {
    running?.recorder?.pairs.taken(list, site)
    return list
  },

  run,
  drives: (promise) => running !== null && (promise === undefined || promise === Promise),
  drive,
  forwards,
  waits,
  returned: returned as Emitted['returned'],
  suspend: suspend as Emitted['suspend'],
  imported,
  again(site, ...carried) {
    running?.testsLoop(site, carried)
    return true
  },
  recurs(site, object, name) {
    if (running === null) return
    const method: unknown = object && findProperty(object, name!)?.own.value
    if (object === undefined || (typeof method === 'function' && isAsynchronous(method))) running.recurs(site)
  },
  generate,
  iterateAsync(iterable, site, elements) {
    checkAsyncIterable(iterable, site)
    const taken = (value: unknown): void => {
      if (running !== null) recordElement(running, value, { elements: elements!, position: 0 })
    }
    const walk = (source: Iterable<unknown>): Iterable<unknown> => iterate(source, site) as Iterable<unknown>
    return iterateAsync(iterable, site, { walk, method: finder(site), taken: elements && taken }) as typeof iterable
  },
  disposedAsync: (value, site) => (running === null ? value : disposedAsync(value, site, finder(site))),
}

/** Looks for a method that the platform would have called. */
function finder(site: number): (object: object, name: PropertyKey) => unknown {
  return (object, name) => {
    const found: unknown = running === null ? Reflect.get(object, name) : readMethod(running, object, name, site)
    return typeof found === 'function' && kindOf(found as Fn) === 'opaque' ? standIn(found as Fn) : found
  }
}

/** `expect(promise).resolves`: what it settles with is looked at when the assertion gets it. */
function lookedAtWhenSettled(value: unknown, site: number, matcher: string | undefined): unknown {
  if (typeof value === 'function') return () => lookedAtWhenSettled(value(), site, matcher)
  if (!(value instanceof Promise)) return value
  const look = (outcome: unknown): void => {
    if (running !== null) lookByMatcher(running, matcher, { value: outcome }, site)
  }
  const onFulfilled = (outcome: unknown): unknown => {
    '__dpor'
    look(outcome)
    return outcome
  }
  const onRejected = (reason: unknown): never => {
    '__dpor'
    look(reason)
    throw reason
  }
  const subject = runtime.call(value, 'then', site, [onFulfilled, onRejected]) as object
  running?.line?.asserts(subject)
  return subject
}

/** What an assertion calls in place of a function, to see what that throws. */
function lookingAtThrown(fn: Fn, site: number): Fn {
  return function (this: unknown, ...args: unknown[]): unknown {
    '__dpor'
    if (running === null) return Reflect.apply(fn, this, args)
    try {
      return invoke(running, fn, this, args, site)
    } catch (error) {
      lookByMatcher(running, undefined, { value: error }, site)
      throw error
    }
  }
}

/** Before a private field of an object that may be older than the execution changes. */
function savePrivate(execution: Execution, object: object, old: unknown, restore: (object: any, value: any) => void): void {
  if (execution.identities.age(object) !== 'of this execution') execution.journal.change(() => restore(object, old))
}

interface PrivateChange {
  readonly site: number
  readonly old: unknown
  readonly value: unknown
  readonly restore: (object: any, value: any) => void
}

function setPrivate(execution: Execution, object: object, key: string, { site, old, value, restore }: PrivateChange): void {
  savePrivate(execution, object, old, restore)
  execution.accesses.assign(execution.identities.of(object), propertyKey(key), site, value)
}

interface PrivateIncrease {
  readonly site: number
  readonly found: number
  readonly amount: number
  readonly restore: (object: any, value: any) => void
}

function increasePrivate(execution: Execution, object: object, key: string, { site, found, amount, restore }: PrivateIncrease): void {
  savePrivate(execution, object, found, restore)
  execution.accesses.increase(execution.identities.of(object), propertyKey(key), site, { found, amount })
}

/** What `++` or `--` makes of a value. */
function incremented(old: unknown, by: 1 | -1): number | bigint {
  return typeof old === 'bigint' ? old + BigInt(by) : Number(old) + by
}

/** The function itself, or what calls it and tells that it does, where an execution is written down. */
function calledIn(recorder: Recorder | undefined, fn: (...args: any[]) => unknown, site: number): (...args: any[]) => any {
  return recorder && !recorder.isDeep ? (...args) => recorder.calledAt(site, () => Reflect.apply(fn, undefined, args)) : fn
}

/** What is called in place of a function: the function itself, where its own code tells all that its calls do. */
function calleeOf(fn: unknown, site: number, unused: true | undefined): (...args: any[]) => any {
  if (typeof fn === 'function' && !needsInvoke(fn as Fn)) return calledIn(running?.recorder, fn as Fn, site)
  // What is called when the arguments have been evaluated is told then: an argument may wait.
  return (...args) => runtime.invoke(fn, undefined, site, args, unused)
}

/** `name in object` found that it is there, or that it is not. */
function lookedFor(execution: Execution, object: object, { name, isThere }: { readonly name: PropertyKey; readonly isThere: boolean }, site: number): void {
  if (isProxy(object)) tellTraps(execution, object, site)
  recordRead(execution, object, name, site, isThere)
  const subject = rawOf(object)
  if (subject && !isProxy(subject) && !Object.hasOwn(subject, name)) lookAtInherited(execution, subject, name, site, 'presence')
}
