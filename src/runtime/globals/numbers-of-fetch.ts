import { Object, Reflect } from '../../engine/intrinsics.ts'

type Numbers = (...args: unknown[]) => unknown

/**
 * What is Node's own `fetch` takes `crypto.randomInt` from Node's module once, when it is loaded, to draw what stands between the fields of a form. So it is loaded
 * here, before anything else asks for `FormData` and the like, and is given a function that draws by the seed while a step runs.
 */
let controlled: Numbers | undefined
const crypto = (globalThis.process as NodeJS.Process | undefined)?.getBuiltinModule?.('node:crypto')
const own = crypto && Object.getOwnPropertyDescriptor(crypto, 'randomInt')
const native = own?.value as Numbers | undefined
if (own?.configurable && native) {
  Object.defineProperty(crypto, 'randomInt', { ...own, value: (...args: unknown[]) => Reflect.apply(controlled ?? native, crypto, args) })
  Reflect.get(globalThis, 'FormData')
  Object.defineProperty(crypto, 'randomInt', own)
}

export function controlNumbersOfFetch(control: (native: Numbers) => Numbers): void {
  if (native) controlled = control(native)
}
