import type { ToldStep } from './whole-execution.ts'

/** All steps that touch what is shared, one access a line. */
export function traceLines(steps: readonly ToldStep[], names: readonly string[]): string[] {
  const rows = steps.flatMap(({ step, process, accesses }) => accesses.map((access, i) => ({ number: i === 0 ? `${step + 1}` : '', name: names[access.process] ?? names[process] ?? '', place: access.place?.shown ?? '(elsewhere)', text: access.text })))
  const [numberWidth, nameWidth, placeWidth] = (['number', 'name', 'place'] as const).map((part) => Math.max(0, ...rows.map((row) => row[part].length)))
  return rows.map(({ number, name, place, text }) => `${number.padStart(numberWidth!)}  ${name.padEnd(nameWidth!)}  ${place.padEnd(placeWidth!)}  ${text}`)
}
