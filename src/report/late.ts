import type { InputRecording, Place } from './input.ts'
import type { ExplanationRow } from './explanation.ts'

/** What those waited for whom others of the story have overtaken: where they went on, up to the row in which they come after others. */
export function latePlaces(rows: readonly Pick<ExplanationRow, 'process' | 'step'>[], { steps }: Pick<InputRecording, 'steps'>): Place[] {
  const late = new Map<string, Place>()
  for (const [i, { process, step }] of rows.entries()) {
    if (i === 0 || rows[i - 1]!.process === process) continue
    const before = rows.slice(0, i).findLast((row) => row.process === process)?.step ?? -1
    for (const { place, process: whose } of steps.slice(before + 1, step + 1)) {
      if (whose === process && place) late.set(`${place.file}:${place.line}:${place.column}`, place)
    }
  }
  return [...late.values()]
}
