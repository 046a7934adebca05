import type { InputCall } from './input.ts'

/** The call, and those that it was made by: the innermost one first. */
export function callsAround(call: number | null | undefined, calls: readonly InputCall[]): Set<number> {
  const around = new Set<number>()
  // Of what came by JSON, null stands for undefined.
  for (let at = call ?? undefined; at !== undefined && !around.has(at); at = calls[at]?.caller ?? undefined) around.add(at)
  return around
}
