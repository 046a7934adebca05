import { accessesOf, isOfControl, type Access } from './accesses.ts'
import type { Explanation } from './explanation.ts'
import { grouped } from './grouped.ts'
import type { InputCall, InputRecording } from './input.ts'
import { familyOf } from './likelihood.ts'
import { isOfPackage } from './places.ts'
import { withReactionNames } from './reaction-names.ts'
import { isFunction } from './values.ts'

/**
 * The names of the processes to a reader, where they are others than those that were recorded. What a queue or a limiter of a package runs is a call of that package, within which the user's own
 * function is called: where nothing else of the user's own code runs there, and nothing of the package is told of it, it is that function which the reader knows.
 *
 * @param rows of the story
 */
export function namesForReaders(recording: InputRecording, rows: Explanation['rows']): readonly string[] | undefined {
  const { names, calls = [], callOf = [] } = recording
  const told = grouped(rows, ({ process }) => process)
  const isOfUser = (process: number): boolean => told.get(process)?.every(({ place }) => place !== undefined && !isOfPackage(place.loaded ?? place)) === true
  const taken = new Map<string, number>()
  for (const name of names) taken.set(familyOf(name)!, (taken.get(familyOf(name)!) ?? 0) + 1)
  const done = grouped(accessesOf(recording).filter((access) => access.place !== undefined && !isOfPackage(access.place) && !isUpToCall(access)), ({ process }) => process)
  const known = withReactionNames(recording, (process) => told.has(process)).map((name, process) => {
    const call = callOf[process] ?? undefined
    if (process === 0 || call === undefined || !isOfUser(process) || !isOfPackages(calls[call])) return name
    const [first, ...others] = new Set((done.get(process) ?? []).map(({ within }) => callWithin(within, { outer: call, calls })))
    const own = first === undefined || others.length > 0 ? undefined : calls[first]!.name
    if (own === undefined || own === '') return name
    const number = (taken.get(own) ?? 0) + 1
    taken.set(own, number)
    return `${own}#${number}`
  })
  return known.some((name, process) => name !== names[process]) ? known : undefined
}

/** What leads to a call, or comes of it, is nobody's work. */
const isUpToCall = (access: Access): boolean => isOfControl(access) || (access.kind === 'read' && isFunction(access.value))

/** Its function is in a package, and what calls it as well, as far as that is known. */
const isOfPackages = (call: InputCall | undefined): boolean => call?.code !== undefined && isOfPackage(call.code) && (call.place === undefined || isOfPackage(call.place))

/** The outermost call of the user's own code that this one is of, or was made by, within that call of a package. */
function callWithin(within: number | null | undefined, { outer, calls }: { readonly outer: number; readonly calls: readonly InputCall[] }): number | undefined {
  let found: number | undefined
  for (let at = within ?? undefined; at !== outer; at = calls[at]?.caller ?? undefined) {
    if (at === undefined) return undefined
    const { code } = calls[at] ?? {}
    if (code && !isOfPackage(code)) found = at
  }
  return found
}
