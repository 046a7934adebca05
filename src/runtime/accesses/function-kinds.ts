import { Object, Reflect, textOfFunction } from '../../engine/intrinsics.ts'
import { isProxy, targetOf, trapsOf } from '../execution/proxies.ts'
import { isInstrumentedText, isKnownInstrumented, standsInPlace } from '../execution/instrumented.ts'
import { besideSteps } from '../execution/running.ts'
import { functionName } from '../execution/values.ts'
import { isOfPlatformNatively, platformModuleFunctions, platformNatives } from './platform-modules.ts'
import type { Fn } from './handler.ts'
import { findProperty } from './lookup.ts'
import { bindingOf } from './deprecated.ts'

/**
 * What is known of a function that is in no table.
 * - `own`: instrumented; its own code tells what it does.
 * - `platform`: of the language or of Node; what has a state that two processes can share is in the tables, or is its receiver.
 * - `opaque`: neither.
 */
export type FunctionKind = 'own' | 'platform' | 'opaque'

const kinds = new WeakMap<object, FunctionKind>()
const nativeText = '{ [native code] }'

export function kindOf(fn: Fn): FunctionKind {
  if (isKnownInstrumented(fn)) return 'own'
  let kind = kinds.get(fn)
  if (kind === undefined) {
    kind = findKind(fn)
    if (!isKnownInstrumented(fn)) kinds.set(fn, kind)
  }
  return kind
}

/** The runtime's own functions that stand in the place of the platform's. */
export function standsForPlatform(fn: Fn): void {
  standsInPlace(fn)
  kinds.set(fn, 'platform')
}

/** Before any step runs: finding out what is of the platform calls functions that tell in a step what they do. */
export function prepareKinds(): void {
  platformModuleFunctions()
  platformNatives()
  wrapperTexts()
  // What is printed is nobody's data, whoever prints it.
  for (const fn of Object.values(console)) if (typeof fn === 'function' && kindOf(fn as Fn) === 'opaque') standsForPlatform(fn as Fn)
}

let wrappers: Set<string> | undefined

/**
 * The texts of functions that Node makes: around others, which run in them; those that print what a developer asks for; the `require` of each file. Each has the
 * text of its like.
 */
function wrapperTexts(): Set<string> {
  const load = globalThis.process?.getBuiltinModule
  return (wrappers ??= new Set(load ? madeByNode(load('node:util'), load('node:module')).map((fn) => textOfFunction(fn)) : []))
}

const madeByNode = (util: typeof import('node:util'), { createRequire }: typeof import('node:module')): object[] => [
  util.promisify(() => {}), util.callbackify(async () => {}), util.deprecate(() => {}, ''), util.debuglog('vitest-dpor'), createRequire(`${process.cwd()}/_`),
]

let ofSockets: Set<string> | undefined

/** The texts of methods that the HTTP server of Node puts on each of its sockets, in the place of those of streams, which they call. */
function textsOfSocketMethods(): Set<string> {
  return (ofSockets ??= besideSteps(() => {
    const load = globalThis.process?.getBuiltinModule
    if (!load) return new Set<string>()
    const socket = new (load('node:stream').Duplex)({ read() {}, write() {} })
    new (load('node:http').Server)().emit('connection', socket)
    const methods = ['on', 'addListener', 'prependListener', 'setEncoding'].flatMap((name) => (Reflect.getOwnPropertyDescriptor(socket, name)?.value as object | undefined) ?? [])
    socket.destroy()
    return new Set(methods.map((method) => textOfFunction(method)))
  }))
}

let ofNode: Readonly<Record<string, string | undefined>> | undefined

/** The sources of Node's own modules, by their names; of one there is none. */
function sourcesOfNode(): Readonly<Record<string, string | undefined>> {
  // It is deprecated.
  return (ofNode ??= besideSteps(() => (bindingOf('natives') as Readonly<Record<string, string | undefined>> | undefined) ?? {}))
}

/** What is shorter than a few lines may be anybody's. */
const shortestOfNode = 150

/** Of the module from which each process with which messages are exchanged has methods of its own: closures, which no module shows. */
const isOfProcesses = (text: string): boolean => text.startsWith('function(') && text.length >= shortestOfNode && (sourcesOfNode()['internal/child_process'] ?? '').includes(text)

const textsOfNode = new Map<string, boolean>()

/** Whether a text stands there. */
function isInNode(text: string): boolean {
  let isFound = textsOfNode.get(text)
  if (isFound === undefined) textsOfNode.set(text, (isFound = Object.values(sourcesOfNode()).some((source) => source?.includes(text) === true)))
  return isFound
}

/** Whether a function is in the sources of Node, be it one that no module shows. */
export function isOfNode(fn: Fn): boolean {
  const text = textOfFunction(fn)
  return text.length >= shortestOfNode && isInNode(text)
}

/** Whether it may be one of those, for all that its text tells: a short one may be anybody's, and what is bound has none. */
export function mayBeOfNode(fn: Fn): boolean {
  const text = textOfFunction(fn)
  return text.endsWith(nativeText) || isInNode(text)
}

/** What Vitest's fake timers put on the global object. */
function isFakeTimer(fn: Fn): boolean {
  const name = functionName(fn)
  return timers.has(name) && Reflect.get(globalThis, name) === fn
}

const timers = new Set([
  'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate', 'queueMicrotask', 'requestAnimationFrame', 'cancelAnimationFrame',
  'requestIdleCallback', 'cancelIdleCallback', 'Date',
])

function kindOfTarget(proxy: Fn): FunctionKind {
  const traps = trapsOf(proxy)
  // What a trap does that is not instrumented nobody tells.
  if (traps !== undefined && ['apply', 'construct'].some((name) => isOpaqueFunction(findProperty(traps, name)?.own.value))) return 'opaque'
  const target = targetOf(proxy)
  return target && !isProxy(target) ? kindOf(target as Fn) : 'opaque'
}

/** Whether it is one that the platform makes for a promise, and which settles that: what somebody has bound has a name. */
export function isSettling(fn: Fn): boolean {
  return !isProxy(fn) && fn.length === 1 && functionName(fn) === '' && textOfFunction(fn).endsWith(nativeText)
}

/** A function, and one that is not instrumented. */
export function isOpaqueFunction(value: unknown): value is Fn {
  return typeof value === 'function' && kindOf(value as Fn) === 'opaque'
}

function findKind(fn: Fn): FunctionKind {
  // A trap tells of itself.
  if (isProxy(fn)) return kindOfTarget(fn)
  const text = textOfFunction(fn)
  if (isInstrumentedText(text, fn)) return 'own'
  // What is bound by instrumented code is known; what others have bound may be anything.
  if (text.endsWith(nativeText)) return functionName(fn).startsWith('bound ') || !isOfPlatformNatively(fn) ? 'opaque' : 'platform'
  if (isFakeTimer(fn)) return 'platform'
  // The runtime has put another in its place, which tells what becomes of the Proxy.
  if (fn === Proxy.revocable) return 'platform'
  if (text.startsWith('function socket') && textsOfSocketMethods().has(text)) return 'platform'
  return platformModuleFunctions().has(fn) || wrapperTexts().has(text) || isOfProcesses(text) ? 'platform' : 'opaque'
}
