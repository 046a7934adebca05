import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { STATE } from '../execution/keys.ts'
import { namedObject } from '../execution/named-objects.ts'
import type { Family, Operation } from './family.ts'

/**
 * `util.inspect.defaultOptions`: who gets hold of them may change them for all texts that are made from then on. Hardly anybody asks for them, and until somebody
 * does, no text is told as a look at them.
 */

const name = 'inspectOptions'

const util = globalThis.process?.getBuiltinModule?.('node:util')

const texts = new Set<unknown>([util?.inspect, util?.format, util?.formatWithOptions])

/** The function makes a text, if it is one of these. */
export function looksAtInspectOptions(execution: Execution, fn: unknown, site: SiteId): void {
  if (texts.has(fn) && !execution.identities.assumptions.unasked.has(name)) execution.accesses.read(namedObject(execution, name), STATE, site, undefined)
}

const ask: Operation = (native) => (execution, receiver, args, site) => {
  const { accesses, identities, journal } = execution
  if (identities.assumptions.unasked.lose(name)) accesses.startAnew()
  const before = { ...util!.inspect.defaultOptions }
  journal.part(util!.inspect, name, () => () => void Object.assign(util!.inspect.defaultOptions, before))
  accesses.write(namedObject(execution, name), STATE, site, undefined)
  return Reflect.apply(native, receiver, args as never[])
}

export const inspectOptions: Family = { holder: util?.inspect, getters: { defaultOptions: ask }, setters: { defaultOptions: ask } }
