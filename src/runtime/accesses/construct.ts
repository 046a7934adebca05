import { dateNow } from '../execution/clock.ts'
import { ArrayBuffer, Object, Reflect } from '../../engine/intrinsics.ts'
import { accepts } from '../execution/brands.ts'
import { prototypeFor } from '../execution/constructors.ts'
import { isProxy } from '../execution/proxies.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { isNativeDate, NativeAggregateError, NativeDate, NativePromise } from '../execution/native.ts'
import { construct as constructPromise, controlled, isPromiseClass } from '../promises/capability.ts'
import { noticeBody } from './bodies.ts'
import { boundOf } from './bound.ts'
import { noticeView } from './bytes.ts'
import { followCompressor, isCompressor } from './compressors.ts'
import { kindOf } from './function-kinds.ts'
import { makingFileStream } from './files/streams.ts'
import { followThings } from './endings.ts'
import { warnsAgain } from './given-warnings.ts'
import type { Fn } from './handler.ts'
import { lookAtPrototypes } from './inheritance.ts'
import { iterate } from './iteration.ts'
import { callOpaque, noteInstance } from './opaque-calls.ts'
import { lookAtArguments } from './copying.ts'
import { isMaker, makeFunction } from './made-functions.ts'
import { noticeChannel } from './left-channels.ts'
import { makesNumbered, mayStartRealWork, startsThread } from './platform-modules.ts'
import { noticeRequest } from './requests.ts'
import { lookAtStackLimit } from './stack-limit.ts'
import { isObject, recordRead } from './telling.ts'
import { constructingStream } from './web-streams.ts'
import { keepTarget } from './weak-refs.ts'

type Constructor = (abstract new (...args: any[]) => object) | ((...args: any[]) => unknown)

const collectionConstructors = new Set<unknown>([Map, Set, WeakMap, WeakSet])

/** `new C(a)`, `super(a)` and `Reflect.construct(C, [a], newTarget)`: what is made has the name of the step that makes it. */
export function construct(execution: Execution, constructor: Constructor, args: unknown[], site: SiteId, newTarget: Constructor = constructor): object {
  execution.line?.calls({ isInCall: execution.call !== null })
  const bound = boundOf(constructor)
  if (bound) return construct(execution, bound.target, [...bound.args, ...args], site, newTarget === constructor ? bound.target : newTarget)
  const { identities } = execution
  if (constructor === NativePromise && newTarget === constructor) return constructPromise(execution, args[0], site)
  if (isNativeDate(constructor) && isNativeDate(newTarget)) {
    if (constructor !== NativeDate) return construct(execution, NativeDate as Constructor, args, site)
    if (args.length === 0) {
      const date = new NativeDate(dateNow(execution))
      identities.made(date)
      return date
    }
  }
  // Which constructor `super` calls is taken for granted.
  if (!identities.assumptions.fixed.has('__proto__') && !isProxy(constructor)) lookAtPrototypes(execution, constructor, site)
  if (isReplaceable(newTarget)) recordRead(execution, newTarget, 'prototype', site, undefined)
  const prototype = newTarget === constructor ? prototypeOfBase(constructor) : undefined
  if (prototype) {
    const object = constructBase(execution, constructor, args, prototype)
    if (!isProxy(object) && Reflect.getPrototypeOf(object) === prototype) return object
    return noticed(execution, object, { constructor, args }, site)
  }
  lookAtArguments(execution, constructor, args, site)
  const given = collectionConstructors.has(constructor) ? args.map((arg) => iterate(arg, site)) : args
  warnsAgain(execution, constructor as Fn)
  identities.beginConstruction(prototypeFor(newTarget))
  const made = (): object => make(execution, constructor, given, site, newTarget)
  const object = named(execution, () => (kindOf(constructor as Fn) === 'opaque' ? callOpaque(execution, { fn: constructor as Fn, receiver: undefined, args, site }, made) : made()))
  return noticed(execution, object, { constructor: newTarget, args }, site)
}

/** What is constructed, which has begun, has the name that was found for it meanwhile. */
function named(execution: Execution, run: () => object): object {
  const { identities } = execution
  let object: object
  let id
  try {
    object = run()
  } finally {
    id = identities.endConstruction()
  }
  // A proxy has the name of its target.
  if (isObject(object) && !isProxy(object) && !identities.has(object)) identities.assign(object, id ?? identities.fresh())
  return object
}

/** Something was made: what has to be known of it, whatever it is. */
function noticed(execution: Execution, object: object, { constructor, args }: { readonly constructor: Constructor; readonly args: unknown[] }, site: SiteId): object {
  const { identities } = execution
  if (ArrayBuffer.isView(object)) noticeView(execution, object)
  noteInstance(execution, { object, constructor }, site)
  // What a proxy inherits from is for its traps to say.
  if (isProxy(object)) return object
  if (object instanceof NativeAggregateError && isObject(object.errors)) identities.made(object.errors)
  noticeBody(execution, object, args)
  lookAtStackLimit(execution, object, site)
  if (object instanceof NativeWeakRef) keepTarget(object, args[0] as object)
  if (Controller && object instanceof Controller && hasSignal(object)) identities.derive(object.signal, `signal of ${identities.of(object)}`)
  return object
}

/** The prototype of what an instrumented class or function makes that inherits from none: it is an object that its own code alone has to do with. */
function prototypeOfBase(constructor: Constructor): object | undefined {
  if (kindOf(constructor as Fn) !== 'own' || isProxy(constructor) || Reflect.getPrototypeOf(constructor) !== Function.prototype) return undefined
  const prototype: unknown = Reflect.getOwnPropertyDescriptor(constructor, 'prototype')?.value
  return isObject(prototype) && !isProxy(prototype) && Reflect.getPrototypeOf(prototype) === Object.prototype ? prototype : undefined
}

function constructBase(execution: Execution, constructor: Constructor, args: unknown[], prototype: object): object {
  execution.identities.beginConstruction(prototype)
  return named(execution, () => Reflect.construct(constructor, args) as object)
}

const { AbortController: Controller, WeakRef: NativeWeakRef } = globalThis
const signalGetter = Reflect.getOwnPropertyDescriptor(Controller?.prototype ?? {}, 'signal')?.get
const hasSignal = signalGetter ? accepts(signalGetter) : () => false

/** The prototype of a class stays the same; that of a function may be another one every time. */
function isReplaceable(constructor: Constructor): boolean {
  return !isProxy(constructor) && Reflect.getOwnPropertyDescriptor(constructor, 'prototype')?.writable === true
}

function make(execution: Execution, constructor: Constructor, args: unknown[], site: SiteId, newTarget: Constructor): object {
  if (mayStartRealWork(constructor)) execution.foreign.started()
  if (makesNumbered(constructor)) execution.accesses.meetsRealThings()
  if (isMaker(constructor) && newTarget === constructor) return makeFunction(constructor, args, site)
  const constructWith = (given: unknown[]): object => Reflect.construct(constructor, given, newTarget) as object
  if (isPromiseClass(newTarget)) return controlled(constructor, site, () => constructWith(args))
  const made = constructingStream(execution, { maker: constructor, args }, (given) => makingFileStream(execution, { maker: constructor, args: given, site }, constructWith))
  if (makesNumbered(constructor)) {
    noticeRequest(execution, made, site)
    followThings(execution, made)
  }
  if (mayStartRealWork(constructor) && isCompressor(made)) followCompressor(execution, made)
  noticeChannel(execution, constructor, made)
  if (startsThread(constructor)) execution.foreign.startedThread(made as { readonly threadId: number })
  return made
}
