import type { InputRecording } from './input.ts'
import { familyOf } from './likelihood.ts'
import { isOfCall } from './timed-out.ts'

/** A reaction whose callback has no name of its own. */
export const isReaction = (name: string | undefined): boolean => /(?:^|\.)(?:then|catch|finally)#\d+$/.test(name ?? '')

/** `search#2`, and not `use callback#2` */
const isPlain = /^[\w$.]+(?:#\d+)?$/

/**
 * Names of the processes, where a reaction without a name has that of the call for whose answer it waits, in however many steps that comes to it: `search.then#2` for `search#2`.
 *
 * @param isTold whether a story tells of it
 */
export function withReactionNames({ names, steps }: Pick<InputRecording, 'names' | 'steps'>, isTold: (process: number) => boolean): readonly string[] {
  const settled = new Map<number, { readonly process: number; readonly isEnd: boolean }>()
  for (const { process, accesses } of steps) {
    for (const access of accesses) if (access.kind === 'settle' && access.key.kind === 'settled' && !settled.has(access.location)) settled.set(access.location, { process: access.callProcess ?? process, isEnd: isOfCall(access) })
  }
  // Of a whole, the one part that is known to be the answer of a call.
  const rootOf = (reaction: number, seen: Set<number> = new Set()): string | undefined => {
    if (seen.has(reaction)) return undefined
    seen.add(reaction)
    const waits = steps.find(({ process }) => process === reaction)?.accesses.filter(({ kind }) => kind === 'wait') ?? []
    const roots = new Set(waits.flatMap(({ location }) => {
      const by = settled.get(location)
      const name = by && (by.isEnd ? (by.process > 0 ? names[by.process] : undefined) : rootOf(by.process, seen))
      return name !== undefined && isPlain.test(name) ? [name] : []
    }))
    return roots.size === 1 ? [...roots][0] : undefined
  }
  const taken = new Set(names)
  return names.map((name, process) => {
    const root = isReaction(name) && isTold(process) ? rootOf(process) : undefined
    const own = root && `${familyOf(root)}.${familyOf(name)}${/#\d+$/.exec(root)?.[0] ?? ''}`
    if (own === undefined || !isReaction(own) || taken.has(own)) return name
    taken.add(own)
    return own
  })
}
