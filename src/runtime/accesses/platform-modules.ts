import { Object, Reflect } from '../../engine/intrinsics.ts'
import { isInstance } from '../execution/proxies.ts'
import { activeChannel } from './channels.ts'
import { httpCommon } from './deprecated.ts'

/** The modules of Node whose functions have no state of their own, or one that is in the tables. */
const names = [
  'node:assert', 'node:assert/strict', 'node:async_hooks', 'node:buffer', 'node:console', 'node:crypto', 'node:diagnostics_channel', 'node:events', 'node:os', 'node:path',
  'node:path/posix', 'node:path/win32', 'node:perf_hooks', 'node:process', 'node:querystring', 'node:readline', 'node:readline/promises', 'node:stream', 'node:stream/consumers',
  'node:stream/promises', 'node:stream/web', 'node:string_decoder', 'node:timers', 'node:timers/promises', 'node:url', 'node:util', 'node:util/types', 'node:zlib',
  // Real work outside: what it changes there is not seen.
  'node:fs', 'node:fs/promises', 'node:http', 'node:https', 'node:http2', 'node:net', 'node:tls', 'node:tty', 'node:dgram', 'node:dns', 'node:dns/promises', 'node:child_process', 'node:worker_threads', 'node:module',
]

/** Of these modules, those whose functions and methods call what they are given at once, or hand it on as it is. */
const callingAtOnce = ['node:assert', 'node:assert/strict', 'node:async_hooks', 'node:buffer', 'node:console', 'node:diagnostics_channel', 'node:path', 'node:querystring', 'node:url', 'node:util', 'node:util/types']

let atOnce: Set<unknown> | undefined

/** Whether a function of the platform calls nobody when something real has happened. */
export function callsAtOnce(fn: object): boolean {
  return (atOnce ??= new Set([...callingAtOnce.map((name) => globalThis.process?.getBuiltinModule?.(name as 'node:assert')), { Channel: activeChannel }, { timerify }].flatMap((holder) => functionsOf(holder, 4)))).has(fn)
}

const { timerify } = (globalThis.process?.getBuiltinModule?.('node:perf_hooks').performance ?? {}) as { readonly timerify?: unknown }

function functionsOf(holder: unknown, depth: number): unknown[] {
  if ((typeof holder !== 'object' && typeof holder !== 'function') || holder === null || depth === 0) return []
  const inner = Object.values(Object.getOwnPropertyDescriptors(holder)).flatMap(({ value }): unknown[] => functionsOf(value, depth - 1))
  return typeof holder === 'function' ? [holder, ...inner] : inner
}

/** Modules, and parts of the global object, of which a call may start real work that goes on by itself. */
const working = ['node:fs', 'node:fs/promises', 'node:http', 'node:https', 'node:net', 'node:tls', 'node:dgram', 'node:dns', 'node:child_process', 'node:worker_threads', 'node:zlib', 'node:readline']
const workingGlobals = ['fetch', 'WebSocket', 'EventSource', 'CompressionStream', 'DecompressionStream', 'MessageChannel', 'BroadcastChannel', 'Worker']

let realWork: Set<unknown> | undefined

/** Whether a function or class of the platform may start such work. */
export function mayStartRealWork(fn: object): boolean {
  return (realWork ??= new Set([...working.flatMap((name) => functionsOf(globalThis.process?.getBuiltinModule?.(name as 'node:fs'), 2)), ...workingGlobals.map((name) => Reflect.get(globalThis, name) as unknown)])).has(fn)
}

/** Modules of which what a function returns has numbers of its own: of processes, threads, ports. */
const numbering = ['node:child_process', 'node:dgram', 'node:net', 'node:http', 'node:https', 'node:http2', 'node:tls', 'node:worker_threads']

let numbered: Set<unknown> | undefined

/** Whether a function or class of the platform makes something that has a number of its own, which is another one the next time. */
export function makesNumbered(fn: object): boolean {
  return (numbered ??= new Set(numbering.flatMap((name) => functionsOf(globalThis.process?.getBuiltinModule?.(name as 'node:net'), 2)))).has(fn)
}

const Worker = globalThis.process?.getBuiltinModule?.('node:worker_threads').Worker

/** Whether what a class makes runs in a thread. */
export function startsThread(constructor: object): boolean {
  return Worker !== undefined && (constructor === Worker || Object.prototype.isPrototypeOf.call(Worker, constructor))
}

/** A worker of Node's. */
export const isThread = (value: object): boolean => isInstance(value, Worker?.prototype)

let functions: WeakSet<object> | undefined

/** The functions of Node's own modules that are written in JavaScript, and those of the global object. */
export function platformModuleFunctions(): WeakSet<object> {
  return (functions ??= collect())
}

const deepest = 5

const { Buffer: bufferOfNode } = globalThis as { readonly Buffer?: object }

function collect(): WeakSet<object> {
  const found = new WeakSet<object>()
  addAll(found, names.map((name) => globalThis.process?.getBuiltinModule?.(name as 'node:fs')))
  addAll(found, [httpCommon()])
  // Behind an accessor.
  addAll(found, [globalThis.crypto?.subtle, bufferOfNode && Reflect.get(bufferOfNode, Symbol.species)])
  addAll(found, ofNode.flatMap((name) => partsOf(Reflect.getOwnPropertyDescriptor(globalThis, name))), deepest - 1)
  return found
}

/** Adds objects and what they lead to, in so many steps, but for the packages that are loaded. */
function addAll(found: WeakSet<object>, values: readonly unknown[], steps = deepest): void {
  // Most is met again and again, and asked for in the quicker way.
  const met = new Set<unknown>()
  let next = values
  for (let left = steps; next.length > 0; left--) {
    const leading: unknown[] = []
    for (let i = 0; i < next.length; i++) {
      const value = next[i]
      if ((typeof value !== 'object' && typeof value !== 'function') || value === null || met.has(value)) continue
      met.add(value)
      if (found.has(value) || (Module !== undefined && value instanceof Module)) continue
      found.add(value)
      if (left > 0) leadsTo(value, leading)
    }
    next = leading
  }
}

function leadsTo(object: object, found: unknown[]): void {
  const keys = Reflect.ownKeys(object)
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!
    if (typeof key === 'symbol' && !ofLanguage.has(key)) continue
    const property = Reflect.getOwnPropertyDescriptor(object, key)
    if (property === undefined) continue
    const { value, get, set } = property
    if (typeof value === 'function' || typeof value === 'object') found.push(value)
    if (get !== undefined) found.push(get)
    if (set !== undefined) found.push(set)
  }
  found.push(Reflect.getPrototypeOf(object))
}

const partsOf = (property: PropertyDescriptor | undefined): readonly unknown[] => [property?.value, property?.get, property?.set]

/** Under other symbols Node keeps what is for itself. */
const ofLanguage = new Set(Object.values(Object.getOwnPropertyDescriptors(Symbol)).map(({ value }) => value as unknown))

const { Module } = globalThis.process?.getBuiltinModule?.('node:module') ?? {}

let natives: WeakSet<object> | undefined

/** The functions of the language, which are not written in JavaScript. */
export function platformNatives(): WeakSet<object> {
  return (natives ??= collectNatives())
}

/** Whether a function that is not written in JavaScript is of the platform. Others are of WebAssembly or of an add-on. */
export function isOfPlatformNatively(fn: object): boolean {
  // Those that settle a promise, or revoke a Proxy, have no name; of an add-on's that have none each has a prototype.
  return platformNatives().has(fn) || platformModuleFunctions().has(fn) || ((fn as { name: unknown }).name === '' && !Object.hasOwn(fn, 'prototype'))
}

/** All that the global object of the language leads to, and its syntax. */
function collectNatives(): WeakSet<object> {
  const found = new WeakSet<object>()
  // What is enumerated, or an accessor, is of Node or of a test environment.
  const globals = Object.values(Object.getOwnPropertyDescriptors(globalThis) as Record<string, PropertyDescriptor>).filter(({ enumerable, value }) => !enumerable && value !== globalThis)
  const syntax = [async () => {}, function* () {}, async function* () {}, [].values(), new Map().values(), new Set().values(), ''[Symbol.iterator](), ''.matchAll(/a/g), new Intl.Segmenter().segment('')]
  addAll(found, [...globals.map(({ value }) => value as unknown), ...syntax])
  return found
}

/** Functions of the global object that Node has written in JavaScript. Others may be put there by anybody. */
const ofNode = ['AbortController', 'AbortSignal', 'Blob', 'Event', 'EventTarget', 'MessageChannel', 'MessagePort', 'Headers', 'FormData', 'Request', 'Response', 'ReadableStream', 'WritableStream', 'TransformStream', 'CompressionStream', 'DecompressionStream', 'URL', 'URLSearchParams', 'TextEncoder', 'TextDecoder', 'queueMicrotask', 'structuredClone', 'fetch', 'atob', 'btoa', 'clearTimeout', 'clearInterval', 'clearImmediate', 'setTimeout', 'setInterval', 'setImmediate', 'performance', 'DOMException', 'BroadcastChannel', 'WebSocket']

