import type { ExecutionOrder } from '../engine/index.ts'
import { changes, replaces, type Access } from './accesses.ts'
import type { Descent } from './descent.ts'
import { grouped } from './grouped.ts'
import type { Return } from './stale.ts'

/** Somebody is woken to take what has become free, and takes it without a look; another one has come in between. Whoever woke it has looked for it. */
export function returnsOfWoken(accesses: readonly Access[], { order, descent }: { readonly order: ExecutionOrder; readonly descent: Descent }): Return[] {
  const firsts = [...grouped(accesses, ({ step, process }) => `${step} ${process}`).values()].map(([first]) => first!)
  return firsts.flatMap((back): Return[] => {
    // Who has not found it taken before does not wait for it.
    if (!replaces(back) || !accesses.some(({ index, step, process }) => index < back.index && step !== back.step && process === back.process)) return []
    const looked = wakersOf(back.step, order).map((waking) => freedIn(waking, { back, accesses, descent })).find((freed) => freed !== undefined)
    if (!looked) return []
    const since = accesses.filter(({ index, step }) => index > looked.index && index < back.index && step !== looked.step)
    const [first, ...more] = since.filter(changes)
    return first && !since.some(({ process }) => process === back.process) ? [{ looked, back, changed: [first, ...more] }] : []
  })
}

/** Steps that settled what it waited for. */
const wakersOf = (step: number, { steps }: ExecutionOrder): number[] => steps[step]!.after.flatMap(({ step: before, reason }) => (reason === 'wait' ? [before] : []))

/** What the step left there. Whoever waits for a call of its own is not woken by it. */
function freedIn(waking: number, { back, accesses, descent }: { readonly back: Access; readonly accesses: readonly Access[]; readonly descent: Descent }): Access | undefined {
  const last = accesses.findLast((access) => access.step === waking && changes(access))
  if (!last || !replaces(last) || descent.isFrom(last.process, back.process) || descent.isFrom(back.process, last.process)) return undefined
  return last
}
