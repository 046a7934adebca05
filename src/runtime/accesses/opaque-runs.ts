import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { HandedOver } from './handed-over.ts'
import { knownGroups, opaqueGroups, tellCall, whenRunIsTold, type OpaqueRun } from './opaque-telling.ts'

/**
 * Code that is not instrumented runs. It changes what its receiver keeps to itself, and what its package does; all that such code has in its hands it looks at, and
 * changes as it turns out.
 */
export function tellRun(execution: Execution, { group, receiver, own, args = [] }: OpaqueRun, site: SiteId): HandedOver {
  execution.calledOpaqueCode()
  const known = opaqueGroups(execution)
  known.isLooking = true
  try {
    for (let reach = known.reachOf(group); ; ) {
      tellCall(execution, { group, receiver, site })
      const handed = new HandedOver(execution, { own, kept: [...reach].map(({ kept }) => kept.list), args }, site)
      known.getsHold(group, handed.objects)
      const { size } = reach
      reach = known.reachOf(group)
      // What it has got hold of may be called as well.
      if (reach.size === size) return handed
    }
  } finally {
    known.isLooking = false
  }
}

whenRunIsTold((execution, run, site) => tellRun(execution, run, site).tellsLate(site))

/** Code that is not instrumented may go on in the running step, after an `await` of its own: nobody knows whose it is. */
export function opaqueCodeGoesOn(execution: Execution, site: SiteId): void {
  for (const group of knownGroups(execution)?.groups ?? []) tellRun(execution, { group, receiver: undefined, own: [] }, site).tellsLate(site)
}
