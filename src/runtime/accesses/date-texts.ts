import { Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { isInstance } from '../execution/proxies.ts'
import { lookAtDate } from './dates.ts'
import type { Family, Operation } from './family.ts'
import { lookFor } from './inheritance.ts'

/** The text that JSON has of a Date, which `toISOString` makes: that this is the platform's own is taken for granted. */
export function lookAtText(execution: Execution, date: Date, site: SiteId): void {
  if (!execution.identities.assumptions.fixed.has('toISOString')) lookFor(execution, date, 'toISOString', site)
}

const toText: Operation = (native) => (execution, receiver, args, site) => {
  if (isInstance(receiver, Date.prototype)) {
    lookAtText(execution, receiver, site)
    lookAtDate(execution, receiver, site)
  }
  return Reflect.apply(native, receiver, args as never[])
}

export const dateTexts: Family = { holder: Date.prototype, methods: { toJSON: toText } }
