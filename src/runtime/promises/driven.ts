import type { SiteId } from '../../engine/ids.ts'
import { asProgram, runtimeGoesOn } from '../execution/replaced-tools.ts'
import { returned, run, suspend } from './async-call.ts'

/** Where the generator that runs now is about to wait; undefined if nobody told. */
let place: SiteId | undefined

const unnamed = { name: 'async function', site: 0 as SiteId }

/** A generator that stands for an async function is about to yield what that would await. */
export function waits<T>(value: T, site: SiteId): T {
  place = site
  return value
}

/** What the next one is called that a compiler has put another function before. */
let forwarded: { readonly name: string; readonly site: SiteId } | undefined

/** The running function calls another one in its place, which stands for an async function. */
export function forwards(name: string, site: SiteId): void {
  forwarded = { name, site }
}

/** Runs a generator that a compiler has made of an async function: what it yields is awaited. */
export function drive(make: () => Generator, ownName?: string, ownSite?: SiteId): Promise<unknown> {
  const { name, site } = ownName === undefined ? (forwarded ?? unnamed) : { name: ownName, site: ownSite ?? (0 as SiteId) }
  forwarded = undefined
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
