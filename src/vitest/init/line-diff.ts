/** A line that goes or comes. */
export interface ChangedLine {
  readonly line: string
  readonly isNew: boolean
}

/** The lines that go and that come, each in its place; as few as can be. */
export function lineDiff(before: readonly string[], after: readonly string[]): ChangedLine[] {
  const kept = mostKept(before, after)
  const changed: ChangedLine[] = []
  let [i, j] = [0, 0]
  while (i < before.length || j < after.length) {
    if (i < before.length && before[i] === after[j]) [i, j] = [i + 1, j + 1]
    else if (j === after.length || (i < before.length && kept[i + 1]![j]! >= kept[i]![j + 1]!)) changed.push({ line: before[i++]!, isNew: false })
    else changed.push({ line: after[j++]!, isNew: true })
  }
  return changed
}

/** How many lines can be kept from the i-th and the j-th on. */
function mostKept(before: readonly string[], after: readonly string[]): number[][] {
  const kept = Array.from({ length: before.length + 1 }, () => Array.from({ length: after.length + 1 }, () => 0))
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) kept[i]![j] = before[i] === after[j] ? kept[i + 1]![j + 1]! + 1 : Math.max(kept[i + 1]![j]!, kept[i]![j + 1]!)
  }
  return kept
}
