import type { InputValue } from './input.ts'
import { differencesOf, partAt, withParts, type Path } from './parts.ts'
import { wholeOf } from './values.ts'

/** As long as what is recorded on one short line. */
const longest = 40
/** As long as parts of an object are that tell it from others. */
const longestParts = 60
/** What is left of the beginning where the difference comes later, and what stands before that at most, if it begins with a word or an item. */
const head = 8
const before = 16

/**
 * A value as a story shows it: where its short line looks like that of another one, or leaves out what an object has that others have not, the part in which they differ.
 *
 * @param left those of the others that were left there in turn: the part in which these differ tells more than what each has changed
 */
export function differingText(value: InputValue, others: readonly InputValue[], left: readonly InputValue[] = []): string {
  const whole = wholeOf(value)
  const parts = value.whole === undefined ? undefined : (differingParts(whole, left) ?? differingParts(whole, others))
  if (parts !== undefined) return parts
  const alike = others.filter((other) => other.text === value.text && wholeOf(other) !== whole)
  if (alike.length === 0) return value.text
  const start = Math.min(...alike.map((other) => commonLength(whole, wholeOf(other))))
  const from = start - before > head ? start - before + beginOfPart(whole.slice(start - before, start - 3)) : 0
  const beginning = from === 0 ? '' : `${whole.slice(0, head)}…`
  const rest = whole.slice(from)
  const room = longest - beginning.length
  return beginning + (rest.length > room ? `${rest.slice(0, room - 1)}…` : rest)
}

/** Of an object, or of what is in a list, where that is short. */
function differingParts(whole: string, others: readonly InputValue[]): string | undefined {
  const all = [whole, ...others.filter(({ type }) => type === 'object').map(wholeOf)]
  const paths = differencesOf(all)
  if (paths.length === 0 || paths.some((path) => path.length === 0) || (whole.startsWith('[') && paths.every((path) => path.length === 1))) return undefined
  // Where that is too much, the shortest of them, which are the same for each of those values.
  const lengthOf = (path: Path): number => Math.max(...all.map((text) => partAt(text, path).length))
  const sorted = paths.toSorted((one, other) => lengthOf(one) - lengthOf(other))
  for (let count = sorted.length; count > 0; count--) {
    const some = sorted.slice(0, count)
    if (all.every((text) => withParts(text, some).length <= longestParts)) return withParts(whole, some)
  }
  return undefined
}

/** Behind the last space, comma or bracket. */
const beginOfPart = (text: string): number => Math.max(...[' ', ',', '{', '['].map((separator) => text.lastIndexOf(separator))) + 1

function commonLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}
