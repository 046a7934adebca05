import { partOf } from './messages.ts'

/** What reporters read of an error, and all else that it has if that is told in a line: the request and the answer that it came of are not. */
export function withoutBulk(error: unknown, around: readonly unknown[] = []): unknown {
  if (typeof error !== 'object' || error === null) return error
  const [name, message, stack, cause] = ['name', 'message', 'stack', 'cause'].map((key) => partOf(error, key))
  const others = Object.keys(error).filter((key) => key !== 'cause').map((key) => [key, partOf(error, key)] as const).filter(([key, value]) => ofReporters.has(key) || !isBulk(value))
  // An error may be its own cause.
  const inner = cause === undefined || around.includes(cause) || cause === error ? {} : { cause: withoutBulk(cause, [...around, error]) }
  return { name, message, stack, ...Object.fromEntries(others), ...inner }
}

const isBulk = (value: unknown): boolean => typeof value === 'object' && value !== null && sizeOf(value) > mostToDump

const ofReporters = new Set(['actual', 'expected', 'diff', 'stacks', 'errors'])

/** Letters of a property of an error that are still worth to be shown with it. */
const mostToDump = 100

/** What goes round in a circle has no end. */
function sizeOf(value: object): number {
  try {
    return JSON.stringify(value).length
  } catch {
    return Infinity
  }
}
