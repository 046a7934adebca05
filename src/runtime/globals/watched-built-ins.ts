import { Object, Reflect } from '../../engine/intrinsics.ts'
import { watchedMembers } from '../accesses/families.ts'
import type { Member } from '../accesses/family.ts'
import type { Fn } from '../accesses/handler.ts'
import { neverTell, watched } from '../accesses/watching.ts'

interface Watched extends Member {
  readonly version: Fn
}

const members: readonly Watched[] = watchedMembers.map((member) => ({ ...member, version: watched(member) }))

/**
 * Puts the versions that tell what opaque code calls in the place of the built-ins, where they stay: between steps they do what
 * the originals do, and to replace so many takes longer than a short exploration. True: some of them were not there.
 */
export function watchBuiltIns(): boolean {
  for (const emitter of emittersOfTheRunner()) neverTell(emitter)
  let isChanged = false
  for (const member of members) if (!isWatched(member) && replace(member, member.native, member.version)) isChanged = true
  return isChanged
}

/** Puts the built-ins back. */
export function giveBackBuiltIns(): void {
  for (const member of members) replace(member, member.version, member.native)
}

/** Asked of all of them in every exploration: a method is found quicker than it is described. */
function isWatched({ holder, key, part, version }: Watched): boolean {
  return part === 'value' ? (holder as Record<PropertyKey, unknown>)[key] === version : Object.getOwnPropertyDescriptor(holder, key)?.[part] === version
}

/** Puts a function in the place of another, if that is there. */
function replace({ holder, key, part }: Member, found: Fn, next: Fn): boolean {
  const own = Object.getOwnPropertyDescriptor(holder, key)
  if (own?.[part] !== found || !own.configurable) return false
  return own.writable ? Reflect.set(holder, key, next) : Reflect.defineProperty(holder, key, { ...own, [part]: next })
}

/** What the test runner uses in the midst of steps: the process with its messages, and what the console writes to. */
function emittersOfTheRunner(): object[] {
  const { _stdout, _stderr } = console as unknown as Record<string, unknown>
  const { process } = globalThis as { process?: NodeJS.Process }
  const all: unknown[] = [_stdout, _stderr, process, process?.channel, process?.stdout, process?.stderr]
  return all.filter((emitter): emitter is object => typeof emitter === 'object' && emitter !== null)
}
