import { Reflect } from '../../engine/intrinsics.ts'
import { madeNow } from '../execution/permanent-names.ts'

/** What makes of an object an emitter, by the name under which Node's constructor finds it: `node:domain` has one of its own there. */
type Init = (this: object, ...args: unknown[]) => unknown
interface Emitters {
  init: Init
}

/**
 * Whoever makes an emitter while something is explored, Node or code that is not instrumented: that it is no older than the execution is known from then on. Whom they have
 * listen to it for their own ends is not put back, as the emitter may end later than the execution.
 */
export function watchNewEmitters(): () => void {
  const Emitter = globalThis.process?.getBuiltinModule?.('node:events') as unknown as Emitters | undefined
  if (!Emitter) return () => {}
  const { init: found } = Emitter
  const init: Init = function (...args) {
    madeNow(this)
    return Reflect.apply(found, this, args)
  }
  Emitter.init = init
  return () => {
    if (Emitter.init === init) Emitter.init = found
  }
}
