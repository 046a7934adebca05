import { Object, Reflect } from '../../engine/intrinsics.ts'
import { isError } from './brands.ts'
import type { Identities } from './identity.ts'

/** What the language throws by itself is made for that, and never thrown again but by who has caught it. */
const ofLanguage = new Set<object | null>([TypeError, RangeError, ReferenceError, SyntaxError, URIError].map((type) => type.prototype))

/** Errors that came from outside of any step, to whoever asks. */
const fromOutside = new WeakSet<object>()

export function thrownOutside(value: unknown): void {
  if (typeof value === 'object' && value !== null) fromOutside.add(value)
}

/** Names what the running step has thrown where that is an error that the language has made. Node's own have a code, and may be kept. */
export function nameThrown(identities: Identities, value: unknown): void {
  if (typeof value !== 'object' || value === null || identities.isOwn(value) || fromOutside.has(value)) return
  if (isError(value) && ofLanguage.has(Reflect.getPrototypeOf(value)) && !Object.hasOwn(value, 'code')) identities.made(value)
}

/** What the platform throws where calls go too deep. */
export function isOutOfStack(error: unknown): boolean {
  return typeof error === 'object' && error !== null && isError(error) && error.message === 'Maximum call stack size exceeded'
}

/** Says whether somebody has heard of an error that no code could catch. */
type Hearing = (error: unknown) => boolean

let hearing: Hearing | undefined

/** From now on this is asked of such errors; returns what ends that. */
export function whenUncaught(hears: Hearing): () => void {
  hearing = hears
  return () => {
    hearing = undefined
  }
}

export function isHeard(error: unknown): boolean {
  return hearing?.(error) === true
}
