import { Math } from '../../engine/intrinsics.ts'

/**
 * By ordinal: the process that it is to the reader. One of the name of another goes on where that one was, once that has had its last
 * step; what goes on beside it has a name of its own, unless it stands for it.
 */
export function linesOfControl(steps: readonly { readonly process: number }[], names: readonly string[], standsFor: readonly (number | undefined)[]): { readonly lines: readonly number[]; readonly names: readonly string[] } {
  const [first, last]: [number[], number[]] = [[], []]
  for (const [index, { process }] of steps.entries()) {
    first[process] ??= index
    last[process] = index
  }
  const known = new Map<string, { readonly line: number; end: number }[]>()
  const shown = [...names]
  const lines: number[] = []
  for (const [process, name] of names.entries()) lines.push(lineOf(process, name))
  function lineOf(process: number, name: string): number {
    const other = standsFor[process]
    if (other !== undefined) return lines[other]!
    const same = known.get(name) ?? []
    known.set(name, same)
    const [start, end] = [first[process] ?? Infinity, last[process] ?? -1]
    const before = same.find((one) => one.end < start)
    if (before) {
      before.end = Math.max(before.end, end)
      return before.line
    }
    if (same.push({ line: process, end }) > 1) shown[process] = `${name} (${same.length})`
    return process
  }
  return { lines, names: shown }
}
