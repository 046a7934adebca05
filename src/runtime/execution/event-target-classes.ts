import { Object, Reflect } from '../../engine/intrinsics.ts'

const ofSignals = globalThis.AbortSignal && Reflect.getPrototypeOf(globalThis.AbortSignal.prototype)

/**
 * What event targets inherit: of the class on the global object, and of Node's own, which signals still have where a test environment has put a class of its
 * own there, as jsdom does.
 */
export const eventTargetPrototypes: readonly object[] = [...new Set<unknown>([globalThis.EventTarget?.prototype, ofSignals])].filter((prototype) => typeof prototype === 'object' && prototype !== null && prototype !== Object.prototype) as object[]
