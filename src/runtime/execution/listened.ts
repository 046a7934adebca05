import { eventTargetPrototypes } from './event-target-classes.ts'
import { inherits } from './values.ts'

const emitters: object | undefined = globalThis.process?.getBuiltinModule?.('node:events').EventEmitter.prototype
const prototypes = emitters ? [...eventTargetPrototypes, emitters] : eventTargetPrototypes

/** Others may listen to it: its entries are the listeners of one event each. */
export const hasListeners = (object: object): boolean => prototypes.some((prototype) => inherits(object, prototype))
