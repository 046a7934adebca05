import { Reflect } from '../../engine/intrinsics.ts'
import { isProxy } from '../execution/proxies.ts'
import { isBytes, readBytes } from './bytes.ts'
import { httpCommon } from './deprecated.ts'
import { each, type Family, type Operation } from './family.ts'
import { changes } from './operations.ts'
import { textDecoders } from './text-coding.ts'

/** What is fed piece by piece and keeps what it was fed: digests, signatures, ciphers, decoders of text, parsers of HTTP. */
const { getBuiltinModule } = (globalThis.process as NodeJS.Process | undefined) ?? {}
const crypto = getBuiltinModule?.('node:crypto') as unknown as Record<string, (abstract new (...args: never[]) => object) | undefined> | undefined
const decoders = getBuiltinModule?.('node:string_decoder') as unknown as Record<string, (abstract new (...args: never[]) => object) | undefined> | undefined
const parsers = httpCommon() as typeof crypto

/** Takes what it is given, or gives what has become of all that. */
const feed: Operation = (native) => {
  const change = changes(native)
  return (execution, receiver, args, site, use) => {
    for (const arg of args) if (isBytes(arg)) readBytes(execution, arg, site)
    return change(execution, receiver, args, site, use)
  }
}

/** The classes, as far as the platform has them. */
const fed = ['Hash', 'Hmac', 'Sign', 'Verify', 'Cipheriv', 'Decipheriv'].map((name) => crypto?.[name]).concat(decoders?.StringDecoder, parsers?.HTTPParser).filter((kind) => kind !== undefined)
const feeding = each([
  'update', 'digest', 'copy', 'sign', 'verify', 'final', 'setAAD', 'setAuthTag', 'getAuthTag', 'setAutoPadding', 'write', 'end', 'initialize', 'execute', 'finish', 'pause', 'resume', 'consume', 'unconsume', 'remove', 'close',
  'free', 'getCurrentBuffer', 'duration', 'headersCompleted',
], feed)

export const digests: readonly Family[] = fed.map((kind) => ({ holder: kind.prototype, methods: feeding }))

const prototypes = new Set<object>(fed.map((kind) => kind.prototype as object))

/** Whether it keeps what it was fed, in a way that nobody can compare. */
export function isFed(object: object): boolean {
  for (let holder: object | null = object; holder !== null && !isProxy(holder); holder = Reflect.getPrototypeOf(holder)) {
    if (prototypes.has(holder) || holder === textDecoders.holder) return true
  }
  return false
}
