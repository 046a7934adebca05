import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { isDecidedBy } from '../events/arrivals.ts'
import { gated, gatedIfReal, isGate, type Asked } from '../events/from-outside.ts'
import { inForeignCode } from '../events/promise-hooks.ts'
import { isPromise } from '../execution/brands.ts'
import type { Execution } from '../execution/execution.ts'
import { isGenerator } from '../execution/generators.ts'
import { calledThrough, isProxy } from '../execution/proxies.ts'
import { areKeptApart, asRuntime } from '../execution/replaced-tools.ts'
import { running } from '../execution/running.ts'
import { followCall, takesJobs } from '../promises/platform-jobs.ts'
import { answeredByMock } from '../promises/stand-ins.ts'
import { whenTargetsAreCalled } from '../execution/traps.ts'
import { quoted } from './assert-messages.ts'
import { lookAtArguments } from './assertions.ts'
import { boundOf } from './bound.ts'
import { callbackPositions } from './callbacks.ts'
import { followCompressor, isCompressor } from './compressors.ts'
import { mayClose } from './closing.ts'
import { compute, isComputation } from './computations.ts'
import { withConversions } from './conversions.ts'
import { fetched, standsForFetch } from './fetches.ts'
import { USED, type Fn, type Use } from './handler.ts'
import { followThings } from './endings.ts'
import { handlerOfProcess } from './event-emitters.ts'
import { registering, settledByListeners, settlesByListeners } from './event-promises.ts'
import { kindOf } from './function-kinds.ts'
import { readInside } from './inside.ts'
import { noticeListening } from './listening.ts'
import { knownMock, mocksCall } from './known-mocks.ts'
import { hearsResults, isMock, showsAsResult, type Mock } from './mocks.ts'
import { isNative, nameResult } from './native-results.ts'
import { callOpaque } from './opaque-calls.ts'
import { heldIfPlain } from './plain-calls.ts'
import { lookAtGiven } from './platform-looks.ts'
import { makesNumbered, mayStartRealWork } from './platform-modules.ts'
import { isCallOfThing } from './calls-of-things.ts'
import { heldBack, heldForAddOn } from './real-callbacks.ts'
import { isRealTarget, thingsOfCall } from './real-things.ts'
import { warnsAgain } from './given-warnings.ts'
import { handlerOf } from './registry.ts'
import { makingRequest } from './requests.ts'
import { maySettleOlder, settlingOlder } from './settling-older.ts'
import { endsWrite } from './streams.ts'
import { isObject } from './telling.ts'
import { isAssertionCall } from './test-api.ts'
import { untold } from './watching.ts'

/**
 * Calls a function on behalf of instrumented code, or of a built-in that calls it: every such call comes through here, so that
 * what is done depends on the function that is called and not on the way that led to it.
 */
export function invoke(execution: Execution, fn: Fn, receiver: unknown, given: unknown[], site: SiteId, use: Use = USED): unknown {
  execution.line?.calls({ isInCall: execution.call !== null })
  const { recorder } = execution
  const result = recorder?.pairs.has(fn)
    ? recorder.pairs.set(fn, given[0], site, () => callByKind(execution, fn, receiver, given, site, use))
    : callByKind(execution, fn, receiver, given, site, use)
  return standsForFetch(fn) ? fetched(execution, result, site) : result
}

function callByKind(execution: Execution, fn: Fn, receiver: unknown, given: unknown[], site: SiteId, use: Use): unknown {
  const kind = kindOf(fn)
  if (kind === 'own') return callOwn(execution, fn, receiver, given, site)
  followCall(execution)
  const handler = handlerOf(fn) ?? handlerOfProcess(fn, receiver)
  const args = withConversions(execution, fn, given, site)
  if (handler) return atItsTurnIfReal(execution, handler(execution, receiver, callable(fn, args), site, use), { receiver, args, site })
  const called = isProxy(fn) ? calledThrough(fn) : undefined
  if (called) return invoke(execution, called as Fn, receiver, args, site, use)
  const bound = boundOf(fn)
  if (bound) return invoke(execution, bound.target, bound.receiver, [...bound.args, ...args], site, use)
  if (isMock(fn)) return callMock(execution, fn, { receiver, args, site })
  if (kind === 'opaque' && isAssertionCall(fn, receiver)) {
    lookAtArguments(execution, args, site)
    return Reflect.apply(fn, receiver, args) as unknown
  }
  if (kind === 'opaque' && endsWrite(execution, fn, site)) return Reflect.apply(fn, receiver, args) as unknown
  if (kind === 'opaque') {
    // Of a class, perhaps, that Node does not show, such as a stream of HTTP/2.
    isCallOfThing(execution, receiver)
    return atItsTurn(execution, callForeign(execution, fn, { receiver, args: heldForAddOn(execution, fn, args, site), site }), { receiver, args, site })
  }
  warnsAgain(execution, fn)
  return callPlatform(execution, fn, receiver, args, site)
}

function callForeign(execution: Execution, fn: Fn, { receiver, args, site }: Called): unknown {
  return callOpaque(execution, { fn, receiver, args, site }, () => inForeignCode(execution, () => Reflect.apply(fn, receiver, args) as unknown))
}

/** Calls a `then` as the platform does, which gives nobody what that returns. */
export function callThen(execution: Execution, then: Fn, { receiver, args, site }: Called): void {
  if (kindOf(then) !== 'opaque' || handlerOf(then) || isProxy(then) || boundOf(then) || isMock(then)) invoke(execution, then, receiver, args as unknown[], site)
  else callForeign(execution, then, { receiver, args, site })
}

/** Calls a function of the platform that is in no table. */
export function callPlatform(execution: Execution, fn: Fn, receiver: unknown, args: unknown[], site: SiteId): unknown {
  lookAtGiven(execution, fn, args, site)
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]
    if (typeof arg === 'object' && arg !== null && !isProxy(arg)) readInside(execution, arg, site)
  }
  const mayBeOfThing = !isNative(fn) || isRealTarget(receiver)
  if (mayBeOfThing) mayClose(execution, fn, receiver)
  const isOfThing = mayBeOfThing && isCallOfThing(execution, receiver)
  if (mayStartRealWork(fn)) execution.foreign.started()
  if (makesNumbered(fn)) execution.accesses.meetsRealThings()
  noticeListening(execution, fn, receiver)
  const handed = heldBack(execution, fn, { receiver, args: callable(fn, args) }, site)
  const callWith = (given: unknown[]): unknown => Reflect.apply(fn, receiver, given)
  const call = (): unknown => (isComputation(fn) ? compute(execution, { fn, args: handed }, callWith) : maySettleOlder(execution, fn) ? settlingOlder(execution, () => callWith(handed)) : callWith(handed))
  let isHeld = false
  const registeringCall = (): unknown => {
    const registered = registering(execution, args[0], call)
    isHeld = registered.isHeld
    return registered.result
  }
  const callOnce = isOfThing ? () => untold(call) : settlesByListeners(fn, args) ? registeringCall : call
  const result: unknown = isNative(fn) ? call() : makingRequest(execution, fn, () => callOfNode(execution, () => quoted(fn, site, callOnce)), site)
  nameResult(execution, fn, result)
  if (mayStartRealWork(fn) && isCompressor(result)) followCompressor(execution, result)
  if (isHeld && isObject(result)) {
    takesJobs(execution, result)
    settledByListeners(execution, args[0], result, site)
  }
  if (makesNumbered(fn)) followThings(execution, result)
  if (isObject(result) && isPromise(result)) comesFromThings(execution, result, receiver, args)
  return atItsTurn(execution, result, { receiver, args, site })
}

function comesFromThings(execution: Execution, promise: object, receiver: unknown, args: readonly unknown[]): void {
  followThings(execution, receiver, args)
  if (!execution.events) isDecidedBy(promise, () => thingsOfCall(receiver, args))
}

/** Calls a function that Node has written in JavaScript: the first time it may make more than later. */
function callOfNode<T>(execution: Execution, call: () => T): T {
  return inForeignCode(execution, () => execution.identities.inForeignCode(call))
}

/** A function that tells itself what it does; the generator that it may return its code has not begun to run. */
function callOwn(execution: Execution, fn: Fn, receiver: unknown, args: unknown[], site: SiteId): unknown {
  execution.lastCall.fn = fn
  execution.lastCall.site = site
  const { recorder, heldCalls } = execution
  recorder?.calls(fn, args, site)
  const call = (): unknown => Reflect.apply(fn, receiver, args)
  const called = heldCalls ? (): unknown => heldIfPlain(execution, { fn, site }, call) : call
  const result = recorder && !recorder.isDeep ? recorder.calledAt(site, called, receiver) : called()
  if (isGenerator(result)) execution.identities.made(result)
  return result
}

interface Called {
  readonly receiver: unknown
  readonly args: readonly unknown[]
  readonly site: SiteId
}

/** What may come from outside waits for its turn, where a step is an event. */
function atItsTurn(execution: Execution, result: unknown, called: Called): unknown {
  return execution.events && isObject(result) && isPromise(result) ? gated(execution, result, askedBy(called)) : result
}

/** The same for functions in a table, most of which do nothing real. */
function atItsTurnIfReal(execution: Execution, result: unknown, called: Called): unknown {
  return execution.events && isObject(result) && isPromise(result) ? gatedIfReal(execution, result, askedBy(called)) : result
}

const askedBy = ({ receiver, args, site }: Called): Asked => ({ site, things: () => thingsOfCall(receiver, args) })

function callMock(execution: Execution, mock: Mock & Fn, { receiver, args, site }: Called & { readonly args: unknown[] }): unknown {
  const known = knownMock(mock)
  const call = (): unknown => {
    const { isInMock } = execution
    execution.isInMock = true
    try {
      return Reflect.apply(mock, receiver, args) as unknown
    } finally {
      execution.isInMock = isInMock
    }
  }
  const does = known.untold
  const result = does ? known.callTold(does.fn, call) : call()
  // What comes from outside is no stand-in for that.
  if (!isObject(result) || !isPromise(result) || (does && (does.isStoodFor || isGate(execution, result)))) return result
  const answer = answeredByMock(execution, result, { site, isHeard: hearsResults(mock) })
  if (answer !== result) showsAsResult(mock, result, answer)
  return answer
}

const generatorFunctions: unknown = Reflect.getPrototypeOf(function* () {})

/** Whether a call is more than running the function's own code, which tells itself what it does. */
export function needsInvoke(fn: Fn): boolean {
  return kindOf(fn) !== 'own' || running?.recorder?.pairs.has(fn) === true || running?.heldCalls !== undefined || standsForFetch(fn) || (!isProxy(fn) && Reflect.getPrototypeOf(fn) === generatorFunctions)
}

/** The arguments of a built-in, those that it only calls made such that their calls come through `invoke`. */
function callable(fn: Fn, args: unknown[]): unknown[] {
  const positions = callbackPositions(fn)
  if (positions.length === 0 || !positions.some((at) => isDispatched(args[at]))) return args
  return args.map((arg, i) => (positions.includes(i) && isDispatched(arg) ? standIn(arg) : arg))
}

/** A function that does not tell by itself what its calls do. */
function isDispatched(value: unknown): value is Fn {
  if (typeof value !== 'function') return false
  const kind = kindOf(value as Fn)
  return kind !== 'own' && boundOf(value) === undefined && (kind === 'opaque' || handlerOf(value) !== undefined || isMock(value))
}

const standIns = new WeakMap<Fn, Fn>()

/**
 * The function that code which is not instrumented calls in place of this one: the same for every call. It must not get where
 * it can be told from the original.
 */
export function standIn(fn: Fn): Fn {
  let made = standIns.get(fn)
  if (!made) standIns.set(fn, (made = makeStandIn(fn)))
  return made
}

function makeStandIn(fn: Fn): Fn {
  // A method has no `prototype` and is no constructor, like most built-ins.
  const { made } = Object.hasOwn(fn, 'prototype') ? { made: constructible(fn) } : {
    made(this: unknown, ...args: unknown[]): unknown {
      '__dpor'
      return callFromOutside(fn, this, args)
    },
  }
  Object.defineProperties(made, {
    name: { value: Reflect.get(fn, 'name'), configurable: true },
    length: { value: Reflect.get(fn, 'length'), configurable: true },
  })
  return made
}

function constructible(fn: Fn): Fn {
  const made = function (this: unknown, ...args: unknown[]): unknown {
    '__dpor'
    if (new.target) return Reflect.construct(fn, args, new.target === made ? fn : new.target)
    return callFromOutside(fn, this, args)
  }
  made.prototype = Reflect.get(fn, 'prototype') as unknown
  return made
}

function callFromOutside(fn: Fn, receiver: unknown, args: unknown[]): unknown {
  const execution = running
  if (execution === null) return Reflect.apply(fn, receiver, args)
  const { call, lastSite } = execution
  const dispatched = (): unknown => invoke(execution, fn, receiver, args, call?.site ?? lastSite)
  return areKeptApart ? asRuntime(dispatched) : dispatched()
}

/** Calls that are made where no instrumented code makes them: by mocks, and those of Proxies that end in a function without a trap, where a handler stands in between. */
export function watchPassedOnCalls(): void {
  mocksCall(standIn)
  whenTargetsAreCalled((fn, receiver, args) => (kindOf(fn) === 'own' ? Reflect.apply(fn, receiver, args) : callFromOutside(fn, receiver, args)))
}

/** `fn.bind(receiver, ...args)`: calls of what it returns come through `invoke`, whoever makes them. */
export function bindThrough(bind: Fn, fn: Fn, given: unknown[]): Fn {
  const [receiver, ...args] = given
  // Native code may call it as well, and then only a stand-in tells what is done.
  return Reflect.apply(bind, isDispatched(fn) ? standIn(fn) : fn, [receiver, ...args]) as Fn
}
