import { Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { STATE } from '../execution/keys.ts'
import { each, type Family, type Operation } from './family.ts'

/**
 * `RegExp.$1`, `RegExp.lastMatch` and their like: what the last match of any expression was. Hardly anybody asks for it, and until
 * somebody does, no match is told as a change of it.
 */

const name = 'lastMatch'

const location = (execution: Execution): ReturnType<Execution['identities']['named']> => execution.identities.named('the last match')

/** An expression was matched. */
export function matchedLast(execution: Execution, site: SiteId): void {
  if (!execution.identities.assumptions.unasked.has(name)) execution.accesses.assign(location(execution), STATE, site, {})
}

const ask: Operation = (native) => (execution, receiver, args, site) => {
  if (execution.identities.assumptions.unasked.lose(name)) execution.accesses.startAnew()
  const value: unknown = Reflect.apply(native, receiver, args as never[])
  execution.accesses.read(location(execution), STATE, site, value)
  return value
}

const names = ['input', '$_', 'lastMatch', '$&', 'lastParen', '$+', 'leftContext', '$`', 'rightContext', "$'", ...Array.from({ length: 9 }, (_, i) => `$${i + 1}`)]

export const lastMatch: Family = { holder: globalThis.RegExp, getters: each(names, ask) }
