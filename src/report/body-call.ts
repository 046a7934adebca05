import type { Access } from './accesses.ts'
import type { InputCall, InputRecording } from './input.ts'

/** The process of the body that is explored. */
const body = 0

/** Longer ones are told without their arguments. */
const longest = 30

/** What the body is to a reader where all that a story tells of it is done in one call that it waits for: that call, as it is written. */
export function callOfBody(accesses: readonly Access[], { calls = [], names }: Pick<InputRecording, 'calls' | 'names'>): string | undefined {
  const own = accesses.filter(({ process }) => process === body)
  const [first, ...others] = new Set(own.map(({ within }) => callIn(within, calls)))
  if (names[body] !== 'test' || first === undefined || others.length > 0) return undefined
  return shortened(calls[first]?.place?.text)
}

/** The call that the body, which nobody has called, has made and that this one comes from; undefined for the body's own code. */
function callIn(within: number | undefined, calls: readonly InputCall[]): number | undefined {
  const caller = calls[within ?? -1]?.caller
  if (caller === undefined) return undefined
  return calls[caller]?.caller === undefined ? within : callIn(caller, calls)
}

function shortened(text: string | undefined): string | undefined {
  if (text !== undefined && text.length <= longest && !text.includes('\n')) return text
  const [, callee] = /^([\w$.#]+)\(/.exec(text ?? '') ?? []
  return callee === undefined || callee.length > longest ? undefined : `${callee}(…)`
}
