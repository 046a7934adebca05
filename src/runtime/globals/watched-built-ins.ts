import { watchedMembers } from '../accesses/families.ts'
import { neverTell, watched } from '../accesses/watching.ts'

/** Puts the versions that tell what opaque code calls in the place of the built-ins; returns what takes them off again. */
export function watchBuiltIns(): () => void {
  const undo: (() => void)[] = []
  for (const emitter of emittersOfTheRunner()) neverTell(emitter)
  for (const member of watchedMembers) {
    const { holder, key, part, native } = member
    const own = Object.getOwnPropertyDescriptor(holder, key)
    if (own?.[part] !== native || !own.configurable) continue
    const version = watched(member)
    Object.defineProperty(holder, key, { ...own, [part]: version })
    undo.push(() => {
      const now = Object.getOwnPropertyDescriptor(holder, key)
      if (now?.[part] === version) Object.defineProperty(holder, key, { ...now, [part]: native })
    })
  }
  return () => {
    for (const restore of undo) restore()
  }
}

/** What the test runner uses in the midst of steps: the process with its messages, and what the console writes to. */
function emittersOfTheRunner(): object[] {
  const { _stdout, _stderr } = console as unknown as Record<string, unknown>
  const { process } = globalThis as { process?: NodeJS.Process }
  const all: unknown[] = [_stdout, _stderr, process, process?.channel, process?.stdout, process?.stderr]
  return all.filter((emitter): emitter is object => typeof emitter === 'object' && emitter !== null)
}
