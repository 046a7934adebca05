import { accessesOf, sharedLocations, type Access } from './accesses.ts'
import { grouped } from './grouped.ts'
import type { ExplainInput, InputRecording } from './input.ts'
import { Labels } from './labels.ts'
import { Places } from './places.ts'
import type { ShownPlace } from './explanation.ts'
import { toScenes } from './story.ts'
import { rowText } from './words.ts'

/** What a step does at one location. */
export interface ToldAccess {
  /** Ordinal of the process whose code it is: the first part of a call runs within its caller's step. */
  readonly process: number
  readonly text: string
  /** What it is an access of: `account.balance`. */
  readonly location: string
  readonly place?: ShownPlace
}

/** One step of a failing execution. */
export interface ToldStep {
  /** From 0. */
  readonly step: number
  readonly process: number
  readonly place?: ShownPlace
  readonly accesses: readonly ToldAccess[]
  /** The steps that it comes directly after, of other processes, and why. */
  readonly after: readonly { readonly step: number; readonly kind: 'enforced' | 'conflict' }[]
  /** Virtual time advanced to this before the step. */
  readonly time?: number
}

/** All that ran: every access to what two processes touch and one of them changes. Plain data. */
export function wholeExecution({ recording, root, original }: Pick<ExplainInput, 'recording' | 'root' | 'original'>): ToldStep[] {
  const all = accessesOf(recording)
  const shared = sharedLocations(all)
  const told = all.filter((access) => shared.has(access.location))
  const places = new Places(root, [...told, ...recording.steps].map(({ place }) => place), original)
  const scenes = grouped(toScenes(told, told), ({ access }) => access.step)
  const labels = new Labels(told)
  const placed = ({ place }: Pick<Access, 'place'>): Pick<ToldAccess, 'place'> => (place ? { place: places.show(place) } : {})
  return recording.steps.map(({ process, place, time }, step) => ({
    step,
    process,
    ...placed({ place }),
    accesses: (scenes.get(step) ?? []).map(({ access, from }) => ({ process: access.process, text: rowText(access, { from, labels }), location: labels.full(access), ...placed(access) })),
    after: afterOf(recording, step),
    ...(time === undefined ? {} : { time }),
  }))
}

function afterOf({ order }: InputRecording, step: number): ToldStep['after'] {
  const { process, after } = order.steps[step]!
  return after.filter((before) => order.steps[before.step]!.process !== process).map((before) => ({ step: before.step, kind: before.reason === 'conflict' ? 'conflict' : 'enforced' }))
}
