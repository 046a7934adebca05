import type { Access } from './accesses.ts'
import { actOf, subjectOf, type Finding } from './finding.ts'
import { givenBackTwiceIn } from './given-back.ts'
import { everyOrder } from './headline.ts'
import type { ExplainInput } from './input.ts'
import { titles } from './kinds.ts'
import { Labels } from './labels.ts'
import { toScenes } from './story.ts'
import { lineOf, type Told } from './told.ts'
import { times } from './wait-texts.ts'

/** Stories of what one call does wrong whatever comes first: what two do to one another after that only shows it. */
export class DeedStories {
  readonly #input: ExplainInput
  readonly #accesses: readonly Access[]

  constructor(input: ExplainInput, accesses: readonly Access[]) {
    this.#input = input
    this.#accesses = accesses
  }

  /** @param finding what would be told otherwise */
  tell(finding: Finding | undefined): Told | undefined {
    return this.#tellGivenBack(finding)
  }

  #tellGivenBack(finding: Finding | undefined): Told | undefined {
    const back = givenBackTwiceIn(this.#accesses, this.#input.recording)
    const last = back?.given.at(-1)
    if (!back || !last) return undefined
    // What has led to that comes before.
    if (finding && subjectOf(finding).location !== last.location && actOf(finding).index <= last.index) return undefined
    const { taken, given, call, isOfFree } = back
    const told = [taken, ...given.slice(-2)]
    const labels = new Labels(told)
    const [less, more] = [`decreased it ${times(isOfFree ? 1 : given.length)}`, `increased it ${times(isOfFree ? given.length : 1)}`]
    const deeds = isOfFree ? `${less} and ${more}` : `${more} and ${less}`
    return this.#told('double-release', `${titles['double-release']} on ${labels.titled(last)}: ${this.#nameOf(call, last)} ${deeds}, to ${labels.value(last)}, which is ${isOfFree ? 'more' : 'less'} than before anybody had taken any.`, { told, labels, focus: last })
  }

  #told(kind: Told['kind'], text: string, { told, labels, focus }: { readonly told: readonly Access[]; readonly labels: Labels; readonly focus: Access }): Told {
    const { experiment } = this.#input
    const lines = toScenes(told.toSorted((one, other) => one.index - other.index), this.#accesses).map((scene) => lineOf(scene, labels))
    return { kind, headline: `${text}${experiment?.failing?.sequentially === 'unknown' ? ` ${everyOrder(experiment.failing)}` : ''}`, lines, focus: focus.place }
  }

  /** What a reader calls it. */
  #nameOf(call: number, { process }: Access): string {
    const { names, callOf = [], steps } = this.#input.recording
    return names[callOf.indexOf(call)] ?? steps.flatMap(({ accesses }) => accesses).find(({ within }) => within === call)?.call ?? names[process]!
  }
}
