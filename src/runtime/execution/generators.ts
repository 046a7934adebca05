import { Object, Reflect } from '../../engine/intrinsics.ts'

const generators: object = Reflect.getPrototypeOf(Reflect.getPrototypeOf((function* () {})())!)!

/** A generator object: made by the call that returned it. */
export function isGenerator(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.prototype.isPrototypeOf.call(generators, value)
}
