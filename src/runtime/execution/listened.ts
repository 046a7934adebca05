import { inherits } from './values.ts'

const prototypes = [globalThis.EventTarget?.prototype as unknown, globalThis.process?.getBuiltinModule?.('node:events').EventEmitter.prototype as unknown].filter((prototype) => prototype !== undefined) as object[]

/** Others may listen to it: its entries are the listeners of one event each. */
export const hasListeners = (object: object): boolean => prototypes.some((prototype) => inherits(object, prototype))
