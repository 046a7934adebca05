import { Array, ArrayBuffer, JSON, Object, Reflect } from '../../engine/intrinsics.ts'
import { memoryOf } from '../execution/brands.ts'
import type { Execution } from '../execution/execution.ts'
import { besideSteps } from '../execution/running.ts'
import { functionName } from '../execution/values.ts'
import type { Fn } from './handler.ts'
import type { Answered } from './random-answers.ts'

/**
 * Keys that `crypto.subtle` draws, and what it makes by them at random: signatures, what is encrypted for one reader. They are in each execution those of the
 * first one that has come there.
 */

const node = globalThis.process?.getBuiltinModule?.('node:crypto')
const clone = globalThis.structuredClone

/** What keys have come from: the draw, or what was imported. */
const origins = new WeakMap<object, string>()

interface KeyPair {
  readonly publicKey: object
  readonly privateKey: object
}

/** By its name: what is put into the answer of such a function. */
const plans: Readonly<Record<string, ((drawn: Map<string, unknown>, id: string, args: readonly unknown[]) => Answered | undefined) | undefined>> = {
  generateKey: (drawn, id) => (made) => {
    if (!isPair(made)) return
    const kept = drawn.get(id) as KeyPair | undefined
    if (!kept) keep(drawn, id, { publicKey: made.publicKey, privateKey: made.privateKey })
    for (const part of ['publicKey', 'privateKey'] as const) {
      // Another object with each execution, like all that it makes.
      if (kept) Reflect.set(made, part, clone(kept[part]))
      origins.set(made[part], `${part} ${id}`)
    }
  },
  importKey: (_drawn, _id, args) => {
    const text = textOf(args)
    return (made) => {
      if (typeof made === 'object' && made !== null) origins.set(made, text)
    }
  },
  sign: madeBy,
  encrypt: madeBy,
}

/** What is remembered, at most: what is signed may be another text with each order. */
const most = 2000

function keep(drawn: Map<string, unknown>, id: string, made: unknown): void {
  if (drawn.size < most) drawn.set(id, made)
}

function madeBy(drawn: Map<string, unknown>, id: string, args: readonly unknown[]): Answered | undefined {
  const key = args[1]
  const origin = typeof key === 'object' && key !== null ? origins.get(key) : undefined
  if (origin === undefined) return undefined
  const name = `${id} ${origin} ${textOf([args[0], args[2]])}`
  return (made) => {
    if (!isBuffer(made)) return
    const bytes = new Uint8Array(made)
    const kept = drawn.get(name) as Uint8Array | undefined
    if (!kept) keep(drawn, name, bytes.slice())
    else if (kept.length === bytes.length) bytes.set(kept)
  }
}

const isBuffer = (value: unknown): value is ArrayBuffer => globalThis.process.getBuiltinModule('node:util').types.isArrayBuffer(value)

const isPair = (made: unknown): made is KeyPair => typeof made === 'object' && made !== null && Object.hasOwn(made, 'privateKey') && Object.hasOwn(made, 'publicKey')

/** A short text for values that are alike. */
function textOf(values: readonly unknown[]): string {
  const hash = node!.createHash('sha256')
  for (const value of values) {
    const bytes = ArrayBuffer.isView(value) ? memoryOf(value) : isBuffer(value) ? new Uint8Array(value) : undefined
    hash.update(bytes ?? JSON.stringify(plain(value)))
  }
  return hash.digest('base64')
}

/** An algorithm, or a key as JSON. */
function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return String(value)
  if (ArrayBuffer.isView(value)) return Array.from(memoryOf(value))
  return Object.keys(value).map((key) => [key, plain(Reflect.get(value, key))])
}

/** What a function of `crypto.subtle` is to answer; undefined of those that draw nothing. */
export function plannedKey({ random, process, drawn }: Execution, fn: Fn, args: readonly unknown[]): Answered | undefined {
  const plan = node && plans[functionName(fn)]
  return plan && besideSteps(() => plan(drawn, `${random.next(process.id)} ${textOf([args[0]])}`, args))
}

const blocks: Readonly<Record<string, number>> = { 'SHA-1': 512, 'SHA-256': 512, 'SHA-384': 1024, 'SHA-512': 1024 }

/** How many bits a key has that two share; undefined where it is none, or what asks for it is wrong. */
function bitsOf(algorithm: unknown): number | undefined {
  if (typeof algorithm !== 'object' || algorithm === null) return undefined
  const { name, length, hash } = algorithm as { readonly name?: unknown; readonly length?: unknown; readonly hash?: string | { readonly name?: string } }
  if (typeof name === 'string' && /^AES-(?:CBC|CTR|GCM|KW)$/.test(name)) return length === 128 || length === 192 || length === 256 ? length : undefined
  if (name !== 'HMAC') return undefined
  if (length !== undefined) return typeof length === 'number' && length > 0 && length % 8 === 0 ? length : undefined
  return blocks[(typeof hash === 'object' ? hash.name : hash) ?? '']
}

/** `crypto.subtle.generateKey` for a key that two share: one of bytes that are the same in each execution. */
export function sharedKey({ random, process }: Execution, fn: Fn, [algorithm, extractable, usages]: readonly unknown[]): (() => unknown) | undefined {
  const bits = functionName(fn) === 'generateKey' ? bitsOf(algorithm) : undefined
  if (bits === undefined || !Array.isArray(usages)) return undefined
  const bytes = new Uint8Array(bits / 8)
  random.fill(process.id, bytes)
  const { subtle } = globalThis.crypto
  // A body may have put another in its place.
  const importKey = Reflect.get(Reflect.getPrototypeOf(subtle)!, 'importKey') as Fn
  return () => Reflect.apply(importKey, subtle, ['raw', bytes, algorithm, extractable, usages])
}
