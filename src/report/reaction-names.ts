import type { InputRecording } from './input.ts'
import { familyOf } from './likelihood.ts'
import { isOfCall } from './timed-out.ts'

/** A reaction whose callback has no name of its own. */
export const isReaction = (name: string | undefined): boolean => /(?:^|\.)(?:then|catch|finally)#\d+$/.test(name ?? '')

/** `search#2`, and not `use callback#2` */
const isPlain = /^[\w$.]+(?:#\d+)?$/

/** Names of the processes, where a reaction without a name has that of the call for whose answer it waits, in however many steps that comes to it: `search.then#2` for `search#2`. */
export function withReactionNames({ names, steps }: Pick<InputRecording, 'names' | 'steps'>): readonly string[] {
  const settled = new Map<number, { readonly process: number; readonly isEnd: boolean }>()
  for (const { process, accesses } of steps) {
    for (const access of accesses) if (access.kind === 'settle' && access.key.kind === 'settled' && !settled.has(access.location)) settled.set(access.location, { process: access.callProcess ?? process, isEnd: isOfCall(access) })
  }
  const rootOf = (reaction: number): string | undefined => {
    for (let at = reaction, seen = new Set<number>(); !seen.has(at); ) {
      seen.add(at)
      const [waited, ...others] = steps.find(({ process }) => process === at)?.accesses.filter(({ kind }) => kind === 'wait') ?? []
      const by = waited && others.length === 0 ? settled.get(waited.location) : undefined
      if (!by) return undefined
      const name = names[by.process]
      if (!isReaction(name)) return by.isEnd && by.process > 0 && isPlain.test(name ?? '') ? name : undefined
      at = by.process
    }
    return undefined
  }
  const taken = new Set(names)
  return names.map((name, process) => {
    const root = isReaction(name) ? rootOf(process) : undefined
    const own = root && `${familyOf(root)}.${familyOf(name)}${/#\d+$/.exec(root)?.[0] ?? ''}`
    if (own === undefined || !isReaction(own) || taken.has(own)) return name
    taken.add(own)
    return own
  })
}
