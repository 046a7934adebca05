import { watchedMembers } from '../accesses/families.ts'
import type { Member } from '../accesses/family.ts'
import type { Fn } from '../accesses/handler.ts'
import { neverTell, watched } from '../accesses/watching.ts'

/** Puts the versions that tell what opaque code calls in the place of the built-ins; returns what takes them off again. */
export function watchBuiltIns(): () => void {
  for (const emitter of emittersOfTheRunner()) neverTell(emitter)
  const replaced = watchedMembers.filter((member) => replace(member, member.native, watched(member)))
  return () => {
    for (const member of replaced) replace(member, watched(member), member.native)
  }
}

/** Puts a function in the place of another, if that is there. */
function replace({ holder, key, part }: Member, found: Fn, next: Fn): boolean {
  const own = Object.getOwnPropertyDescriptor(holder, key)
  if (own?.[part] !== found || !own.configurable) return false
  // There are many, and every exploration replaces them: to assign takes a fraction of the time.
  return own.writable ? Reflect.set(holder, key, next) : Reflect.defineProperty(holder, key, { ...own, [part]: next })
}

/** What the test runner uses in the midst of steps: the process with its messages, and what the console writes to. */
function emittersOfTheRunner(): object[] {
  const { _stdout, _stderr } = console as unknown as Record<string, unknown>
  const { process } = globalThis as { process?: NodeJS.Process }
  const all: unknown[] = [_stdout, _stderr, process, process?.channel, process?.stdout, process?.stderr]
  return all.filter((emitter): emitter is object => typeof emitter === 'object' && emitter !== null)
}
