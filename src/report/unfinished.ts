import { changes, type Access } from './accesses.ts'
import { begunBy, type Begin } from './begins.ts'
import { Descent } from './descent.ts'
import type { InputRecording } from './input.ts'
import type { OtherOrder } from './other-order.ts'

/** Somebody looks while a call that would change what he finds is at work still: the test has ended before that one has come as far. */
export interface Unfinished {
  readonly look: Access
  /** What it would find, had the call ended. */
  readonly change: Access
  /** The process of that call, */
  readonly call: number
  /** and where it was called, if that is known. */
  readonly begin: Begin | undefined
}

/**
 * @param seen the locations at which the failing line looks
 * @param sequence an order in which calls do not overlap, and the test passes
 */
export function unfinishedIn(accesses: readonly Access[], { recording, seen, sequence }: { readonly recording: InputRecording; readonly seen: ReadonlySet<number>; readonly sequence: OtherOrder }): Unfinished | undefined {
  const looks = accesses.filter(({ kind, location }) => kind === 'read' && seen.has(location)).toReversed()
  for (const look of looks) {
    const here = sequence.differs(look) === true ? sequence.counterpart(look) : undefined
    const change = here && sequence.accesses.findLast((access) => access.index < here.index && access.location === here.location && changes(access))
    if (!change || change.process === look.process || accesses.some((access) => access.process === change.process && access.location === look.location && changes(access))) continue
    const call = callOf(change.process, look, recording)
    if (call !== undefined) return { look, change, call, begin: begunBy(call, recording) }
  }
  return undefined
}

/** The outermost of the processes by which it comes to pass that whoever looks is no part of, a call if there is one, which has begun by then. */
function callOf(process: number, look: Access, recording: InputRecording): number | undefined {
  if (!recording.steps.some(({ spawned }, step) => step <= look.step && spawned.includes(process))) return undefined
  const descent = new Descent(recording)
  const line = [process, ...descent.ancestorsOf(process).map(({ parent }) => parent)].filter((one) => !descent.isFrom(look.process, one))
  return line.findLast((one) => begunBy(one, recording) !== undefined) ?? line.at(-1)
}
