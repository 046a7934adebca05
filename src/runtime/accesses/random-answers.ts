import { ArrayBuffer, Math } from '../../engine/intrinsics.ts'
import { memoryOf } from '../execution/brands.ts'
import type { Execution } from '../execution/execution.ts'
import type { Fn } from './handler.ts'

/** Puts into what was asked for what is the same whenever the schedule runs again. */
export type Answered = (made: unknown) => void

type Plan = (draw: (count: number) => Uint8Array, args: readonly unknown[]) => Answered

/** `crypto.randomBytes(size, callback)`. */
const planBytes: Plan = (draw, [size]) => {
  const planned = typeof size === 'number' && size >= 0 && size < 2 ** 31 ? draw(size) : new Uint8Array()
  return (made) => {
    if (made instanceof Uint8Array) memoryOf(made).set(planned)
  }
}

/** `crypto.randomFill(view, offset?, size?, callback)`, which counts elements. */
const planFill: Plan = (draw, [view, offset, size]) => {
  if (!ArrayBuffer.isView(view)) return () => {}
  const width = (view as Partial<Uint8Array>).BYTES_PER_ELEMENT ?? 1
  const start = typeof offset === 'number' ? offset * width : 0
  const planned = draw(Math.max(0, typeof size === 'number' ? size * width : view.byteLength - start))
  return (made) => {
    if (made === view) memoryOf(view).set(planned, start)
  }
}

const { randomBytes, randomFill } = globalThis.process?.getBuiltinModule?.('node:crypto') ?? {}

/** What Node draws at random in the background. */
export const randomAnswers: ReadonlyMap<unknown, Plan> = new Map<unknown, Plan>(randomBytes ? [[randomBytes, planBytes], [randomFill, planFill]] : [])

/** What such a call is to answer, drawn when it is made; undefined of other functions. */
export function plannedAnswer({ random, process }: Execution, fn: Fn, args: readonly unknown[]): Answered | undefined {
  const draw = (count: number): Uint8Array => {
    const drawn = new Uint8Array(count)
    random.fill(process.id, drawn)
    return drawn
  }
  return randomAnswers.get(fn)?.(draw, args)
}
