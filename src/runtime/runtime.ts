import { readAll } from './arrays.ts'
import { iterateAsync, generate } from './async-iteration.ts'
import { returned, run, suspend } from './async-call.ts'
import type { Emitted } from './emitted.ts'
import { running, type Execution } from './execution.ts'
import { handlerOf } from './handlers.ts'
import { namePermanently } from './identity.ts'
import { inert } from './inert.ts'
import { iterate } from './iteration.ts'
import { isMock, lookAtMock, mockCalled } from './mocks.ts'
import { isGenerator, NativePromise } from './native.ts'
import { isNative, nameResult } from './native-results.ts'
import { readDeep } from './object-functions.ts'
import { construct as constructPromise } from './promise-api.ts'
import { recordPattern } from './patterns.ts'
import {
  enumerateProperties, isObject, keyOf, readProperty, recordRead, recordWrite, removeProperty, writeProperty,
} from './properties.ts'
import { registerFile } from './sources.ts'
import { newScope, readVariable, writeVariable } from './variables.ts'

/** The calls of instrumented code: the original's meaning, and a record of it while a step of an exploration runs. */
export const runtime: Emitted = {
  file: registerFile,

  made(value, site) {
    if (running !== null) {
      if (isObject(value)) running.identities.made(value)
      return value
    }
    if (isObject(value)) namePermanently(value)
    return inert.made(value, site)
  },

  entered(value, callee) {
    if (running === null) return value
    if (isGenerator(value)) running.identities.made(value)
    if (isMock(callee)) mockCalled(running, callee, 0)
    return value
  },

  look(value, site) {
    if (running === null) return value
    if (isMock(value)) lookAtMock(running, value, site)
    else readDeep(running, value, site)
    return value
  },

  text(value, site) {
    if (running !== null && Array.isArray(value)) readAll(running, value, site)
    return value
  },

  construct(constructor, site, args) {
    const execution = running
    if (execution === null) {
      const object = inert.construct(constructor, site, args)
      if (isObject(object)) namePermanently(object)
      return object
    }
    if (constructor === NativePromise) return constructPromise(execution, args[0], site)
    if (constructor === Date && args.length === 0) return named(execution, new Date(execution.clock.date))
    if (typeof constructor !== 'function') return inert.construct(constructor, site, args)
    const given = collectionConstructors.has(constructor) ? args.map((arg) => iterate(arg, site)) : args
    const identities = execution.identities
    identities.beginConstruction(constructor.prototype)
    let object: unknown
    let id
    try {
      object = inert.construct(constructor, site, given)
    } finally {
      id = identities.endConstruction()
    }
    if (isObject(object) && !identities.has(object)) identities.assign(object, id ?? identities.fresh())
    if (object instanceof AbortController) identities.derive(object.signal, identities.of(object), 'signal')
    return object
  },

  get(object, key, site) {
    return running !== null && isObject(object) ? readProperty(running, object, key, site) : inert.get(object, key, site)
  },

  set(object, key, value, site) {
    if (running !== null && isObject(object)) writeProperty(running, object, key, value, site)
    else inert.set(object, key, value, site)
    return value
  },

  update(object, key, site, next) {
    if (running === null || !isObject(object)) return inert.update(object, key, site, next)
    const property = keyOf(key)
    const value = next(readProperty(running, object, property, site))
    writeProperty(running, object, property, value, site)
    return value
  },

  assignIf(object, key, site, operator, value) {
    if (running === null || !isObject(object)) return inert.assignIf(object, key, site, operator, value)
    const property = keyOf(key)
    const old: unknown = readProperty(running, object, property, site)
    const isKept = operator === '??' ? old !== null && old !== undefined : operator === '||' ? Boolean(old) : !old
    if (isKept) return old
    const next = value()
    writeProperty(running, object, property, next, site)
    return next
  },

  increment(object, key, site, by, prefix) {
    if (running === null || !isObject(object)) return inert.increment(object, key, site, by, prefix)
    const property = keyOf(key)
    const read = readProperty(running, object, property, site)
    const old = typeof read === 'bigint' ? read : Number(read)
    const next = incremented(old, by)
    writeProperty(running, object, property, next, site)
    return prefix ? next : old
  },

  remove(object, key, site) {
    if (running === null || !isObject(object)) return inert.remove(object, key, site)
    const isFixed = Reflect.getOwnPropertyDescriptor(object, keyOf(key))?.configurable === false
    return isFixed ? inert.remove(object, key, site) : removeProperty(running, object, key, site)
  },

  has(key, object, site) {
    const result = inert.has(key, object, site)
    if (running !== null) recordRead(running, object as object, keyOf(key), site, result)
    return result
  },

  call(object, key, site, args) {
    const execution = running
    if (execution === null) return inert.call(object, key, site, args)
    return callMethod(execution, object, key, { site, args })
  },

  callIf(object, key, site, args, rest) {
    const execution = running
    if (execution === null) return inert.callIf(object, key, site, args, rest)
    const property = keyOf(key)
    const fn: unknown = isObject(object) ? readProperty(execution, object, property, site) : inert.get(object, property, site)
    if (fn === null || fn === undefined) return undefined
    const result = callMethod(execution, object, property, { site, args: args() })
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

  privateGet(object, key, site, value) {
    if (running !== null) recordRead(running, object, key, site, value)
    return value
  },

  privateSet(object, key, site, old, value, restore) {
    if (running !== null) {
      if (running.identities.outlives(object)) running.journal.change(() => restore(old))
      recordWrite(running, object, key, site, value)
    }
    return value
  },

  privateIncrements(object, key, site, old, by, restore) {
    if (running === null) return
    runtime.privateGet(object, key, site, old)
    runtime.privateSet(object, key, site, old, incremented(old, by), restore)
  },

  privateReference(object, key, site, get, set) {
    return {
      get value() {
        return runtime.privateGet(object, key, site, get())
      },
      set value(value) {
        if (running !== null) runtime.privateSet(object, key, site, get(), value, set)
        set(value)
      },
    }
  },

  pattern(value, shape) {
    if (running !== null) recordPattern(running, value, shape)
    return value
  },

  iterate: iterate as Emitted['iterate'],

  enumerate(object, site) {
    if (running !== null && isObject(object)) enumerateProperties(running, object, site)
    return object
  },

  scope: newScope,

  read(scope, name, site, value) {
    if (running !== null) readVariable(running, scope, name, site, value)
    return value
  },

  write(scope, name, site, old, value, restore) {
    if (running !== null) writeVariable(running, { scope, name, site, old, value, restore })
    return value
  },

  increments(scope, name, site, old, by, restore) {
    if (running === null) return
    readVariable(running, scope, name, site, old)
    writeVariable(running, { scope, name, site, old, value: incremented(old, by), restore })
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

  run,
  returned: returned as Emitted['returned'],
  suspend: suspend as Emitted['suspend'],
  generate,
  iterateAsync: iterateAsync as Emitted['iterateAsync'],
}

/** What `++` or `--` makes of a value. */
function incremented(old: unknown, by: 1 | -1): number | bigint {
  return typeof old === 'bigint' ? old + BigInt(by) : Number(old) + by
}

const collectionConstructors = new Set<unknown>([Map, Set, WeakMap, WeakSet])

function named<T extends object>(execution: Execution, object: T): T {
  execution.identities.made(object)
  return object
}

function callMethod(execution: Execution, object: any, key: unknown, { site, args }: { site: number; args: unknown[] }): unknown {
  if (!isObject(object)) {
    const result: unknown = inert.call(object, key, site, args)
    if (isObject(result) && typeof object === 'string') execution.identities.made(result)
    return result
  }
  const property = keyOf(key)
  const fn: unknown = Reflect.get(object, property, object)
  const handler = handlerOf(fn)
  if (handler) return handler(execution, object, args, site)
  if (typeof fn !== 'function') {
    recordRead(execution, object, property, site, fn)
    return inert.call(object, property, site, args)
  }
  if (!isNative(fn)) recordRead(execution, object, property, site, fn)
  const result: unknown = Reflect.apply(fn, object, args)
  if (isMock(fn)) mockCalled(execution, fn, site)
  if (isGenerator(result)) execution.identities.made(result)
  else nameResult(execution, fn, result)
  return result
}
