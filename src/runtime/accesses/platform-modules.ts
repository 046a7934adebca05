import { Object, Reflect } from '../../engine/intrinsics.ts'

/** The modules of Node whose functions have no state of their own, or one that is in the tables. */
const names = [
  'node:assert', 'node:assert/strict', 'node:async_hooks', 'node:buffer', 'node:console', 'node:crypto', 'node:diagnostics_channel', 'node:events', 'node:os', 'node:path',
  'node:path/posix', 'node:path/win32', 'node:perf_hooks', 'node:process', 'node:querystring', 'node:readline', 'node:stream', 'node:stream/promises', 'node:stream/web',
  'node:string_decoder', 'node:timers', 'node:timers/promises', 'node:url', 'node:util', 'node:util/types', 'node:zlib',
  // Real work outside: what it changes there is not seen.
  'node:fs', 'node:fs/promises', 'node:http', 'node:https', 'node:net', 'node:tls', 'node:dns', 'node:child_process', 'node:worker_threads', 'node:module', 'node:vm',
]

/** Of these modules, those whose functions call what they are given at once, or hand it on as it is. */
const callingAtOnce = ['node:assert', 'node:assert/strict', 'node:async_hooks', 'node:buffer', 'node:console', 'node:diagnostics_channel', 'node:path', 'node:querystring', 'node:url', 'node:util', 'node:util/types']

let atOnce: Set<unknown> | undefined

/** Whether a function of the platform calls nobody when something real has happened. */
export function callsAtOnce(fn: object): boolean {
  return (atOnce ??= new Set(callingAtOnce.flatMap((name) => functionsOf(globalThis.process?.getBuiltinModule?.(name as 'node:assert'), 3)))).has(fn)
}

function functionsOf(holder: unknown, depth: number): unknown[] {
  if ((typeof holder !== 'object' && typeof holder !== 'function') || holder === null || depth === 0) return []
  const inner = Object.values(Object.getOwnPropertyDescriptors(holder)).flatMap(({ value }): unknown[] => functionsOf(value, depth - 1))
  return typeof holder === 'function' ? [holder, ...inner] : inner
}

let functions: WeakSet<object> | undefined

/** The functions of Node's own modules that are written in JavaScript, and those of the global object. */
export function platformModuleFunctions(): WeakSet<object> {
  return (functions ??= collect())
}

const deepest = 4

function collect(): WeakSet<object> {
  const found = new WeakSet<object>()
  const process = globalThis.process as typeof globalThis.process | undefined
  // Those that are loaded lead to the functions of packages.
  const { Module } = process?.getBuiltinModule?.('node:module') ?? {}
  const isPackage = (value: object): boolean => Module !== undefined && value instanceof Module
  const add = (value: unknown, depth: number): void => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || found.has(value) || isPackage(value)) return
    found.add(value)
    if (depth === deepest) return
    for (const own of Object.values(Object.getOwnPropertyDescriptors(value))) for (const part of [own.value, own.get, own.set]) add(part, depth + 1)
    add(Reflect.getPrototypeOf(value), depth + 1)
  }
  for (const name of names) {
    add(process?.getBuiltinModule?.(name as 'node:fs'), 0)
  }
  for (const name of ofNode) add(Reflect.getOwnPropertyDescriptor(globalThis, name)?.value, 1)
  return found
}

/** Functions of the global object that Node has written in JavaScript. Others may be put there by anybody. */
const ofNode = ['AbortController', 'AbortSignal', 'Blob', 'Event', 'EventTarget', 'MessageChannel', 'MessagePort', 'Headers', 'FormData', 'Request', 'Response', 'ReadableStream', 'WritableStream', 'TransformStream', 'CompressionStream', 'DecompressionStream', 'URL', 'URLSearchParams', 'TextEncoder', 'TextDecoder', 'queueMicrotask', 'structuredClone', 'fetch', 'atob', 'btoa', 'clearTimeout', 'clearInterval', 'clearImmediate', 'setTimeout', 'setInterval', 'setImmediate', 'performance', 'DOMException', 'BroadcastChannel', 'WebSocket']
