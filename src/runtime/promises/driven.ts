import type { SiteId } from '../../engine/ids.ts'
import { asProgram, runtimeGoesOn } from '../execution/replaced-tools.ts'
import { returned, run, suspend } from './async-call.ts'

/** Where the generator that runs now is about to wait; undefined if nobody told. */
let place: SiteId | undefined

/** A generator that stands for an async function is about to yield what that would await. */
export function waits<T>(value: T, site: SiteId): T {
  place = site
  return value
}

/** Runs a generator that a compiler has made of an async function: what it yields is awaited. */
export function drive(make: () => Generator, name = 'async function', site: SiteId = 0 as SiteId): Promise<unknown> {
  return run(async () => {
    const generator = make()
    place = undefined
    let step = asProgram(() => generator.next())
    while (step.done !== true) {
      let value: unknown
      try {
        value = await suspend(step.value, place ?? site)
        runtimeGoesOn()
      } catch (error) {
        runtimeGoesOn()
        place = undefined
        step = asProgram(() => generator.throw(error))
        continue
      }
      place = undefined
      step = asProgram(() => generator.next(value))
    }
    return returned(step.value)
  }, name, site)
}
