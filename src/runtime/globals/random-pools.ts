import { Reflect } from '../../engine/intrinsics.ts'
import type { Execution } from '../execution/execution.ts'
import { whenDriverIsLoaded } from '../execution/loaded-drivers.ts'
import { running } from '../execution/running.ts'
import type { AnyFunction } from './timers.ts'

/** Pools of random bytes that packages keep. Who gets which of them decides nothing: in an execution each process draws its own. */

interface Uuid {
  readonly rng: AnyFunction
  replace(own: AnyFunction): void
}

interface Nanoid {
  readonly fillPool: AnyFunction
  replace(own: AnyFunction): void
  /** These bytes are the next to be used, all of them. */
  set(bytes: Uint8Array): void
}

/** More the package does not give, or takes by other ways. */
const mostOfNanoid = 1024

export function drawWithoutPools(): void {
  whenDriverIsLoaded('uuid', (exported) => {
    const { rng, replace } = exported as Uuid
    replace(function (this: unknown, ...args: unknown[]) {
      '__dpor'
      return running === null ? Reflect.apply(rng, this, args) : drawn(running, new Uint8Array(16))
    })
  })
  whenDriverIsLoaded('nanoid', (exported) => {
    const { fillPool, replace, set } = exported as Nanoid
    replace(function (this: unknown, ...args: unknown[]) {
      '__dpor'
      const [size] = args
      if (running === null || typeof size !== 'number' || !(size > 0 && size <= mostOfNanoid)) return Reflect.apply(fillPool, this, args)
      set(drawn(running, Buffer.alloc(size)))
    })
  })
}

function drawn<T extends Uint8Array>(execution: Execution, bytes: T): T {
  execution.random.fill(execution.process.id, bytes)
  execution.identities.made(bytes)
  return bytes
}
