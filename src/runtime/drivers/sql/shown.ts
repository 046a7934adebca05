import { Array } from '../../../engine/intrinsics.ts'

/** A statement as a reader is to see it: with the values of its parameters. */
export const shownStatement = (text: string, values: readonly unknown[]): string => (values.length === 0 ? text : `${text} ${shownValues(values)}`)

const shownValues = (values: readonly unknown[]): string => `[${values.map(shownValue).join(', ')}]`

/** What is no list and has several parts is left out: also a Date, whose text depends on the time zone. */
function shownValue(value: unknown): string {
  if (Array.isArray(value)) return shownValues(value as readonly unknown[])
  return typeof value === 'object' && value !== null ? '…' : String(value)
}
