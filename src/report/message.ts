import type { ExplainInput } from './input.ts'

/** More lines of an error's message are left to the test runner. */
const mostLines = 4

/** What the execution threw, in its own words. */
export function messageOf({ kind, error }: ExplainInput['failure']): string {
  const text = plain(describe(error))
  const lines = withWhatFollows(text.split('\n'))
  const end = lines.findIndex((line, index) => index > 0 && line.trim() === '')
  const first = lines.slice(0, Math.min(mostLines, end < 0 ? lines.length : end)).join('\n').trimEnd()
  return kind === 'unhandled-rejection' ? `Unhandled rejection: ${first}` : first
}

/** Node says what is wrong in a line that ends so, and then leaves one empty. */
function withWhatFollows([first = '', second, third, ...rest]: readonly string[]): string[] {
  const isTold = first.endsWith(':') && second?.trim() === '' && third !== undefined && third.trim() !== ''
  return isTold ? [`${first} ${third.trim()}`, ...rest] : [first, second, third, ...rest].filter((line) => line !== undefined)
}

function describe(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'message' in error) {
    const name = 'name' in error && typeof error.name === 'string' ? error.name : 'Error'
    return `${name}: ${String(error.message)}`
  }
  return `thrown: ${typeof error === 'string' ? error : (safely(error) ?? Object.prototype.toString.call(error))}`
}

function safely(value: unknown): string | undefined {
  try {
    return typeof value === 'object' ? JSON.stringify(value) : String(value)
  } catch {
    return undefined
  }
}

/** Without the colours that assertion libraries put in. */
function plain(text: string): string {
  const escape = String.fromCodePoint(27)
  return text.replaceAll(new RegExp(`${escape}\\[[\\d;]*m`, 'g'), '')
}
