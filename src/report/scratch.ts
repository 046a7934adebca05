import { changes, isSamePlace, replaces, type Access } from './accesses.ts'
import { grouped } from './grouped.ts'
import type { InputValue } from './input.ts'
import { isSame } from './values.ts'

/**
 * Whether every step that changes the location puts back what it found there, such as the depth of a nested call or whose turn it is, or writes that once more;
 * or that each begins at one line, which puts something there before it looks: then no step can tell by it what others have done.
 */
export function isScratch(accesses: readonly Access[]): boolean {
  if (!accesses.every((access) => !changes(access) || replaces(access))) return false
  // The first parts of several calls run within one step.
  const steps = [...grouped(accesses, ({ step, process }) => `${step} ${process}`).values()]
  if (steps.every((own) => beginsAnew(own) && isSamePlace(own[0]!, accesses[0]!))) return true
  if (!steps.every(goesThereAndBack)) return false
  // What one step has left there for all that come later may be what the last of several calls has left.
  const changing = steps.filter((own) => own.some(changes))
  if (changing.length === 1 && foundIn(changing[0]![0]!) === undefined) return false
  const between = steps.flatMap((own) => [foundIn(own[0]!), own.at(-1)!.value]).filter((value) => value !== undefined)
  return between.every((value) => isSame(value, between[0]!))
}

/** It puts something there, whatever was there before, and looks at that. */
const beginsAnew = (own: readonly Access[]): boolean => replaces(own[0]!) && foundIn(own[0]!) === undefined && own.some(({ kind }) => kind === 'read')

function goesThereAndBack(own: readonly Access[]): boolean {
  const [found, end] = [foundIn(own[0]!), own.at(-1)!.value]
  return !own.some(changes) || own.some((access) => changes(access) && !isSame(access.value, end)) || (found !== undefined && isSame(found, end))
}

/** What was there before it; undefined where it did not look. */
function foundIn({ kind, value, found }: Access): InputValue | undefined {
  return kind === 'read' ? value : found
}
