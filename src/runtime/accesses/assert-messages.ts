import type { SiteId } from '../../engine/ids.ts'
import { placeOf } from '../execution/sources.ts'

const assert = globalThis.process?.getBuiltinModule?.('node:assert')
const reading = new Set<unknown>(assert && [assert, assert.ok, assert.strict, assert.strict.ok])

const said = 'The expression evaluated to a falsy value:'

/** Of a file Node reads the first half of a megabyte: what was false is said where it has not found the expression. */
const saidOtherwise = / == true$/

/** Node reads the expression that was false from the code that has called it, which is this package: what the user's file says there is put in its place. */
export function quoted<T>(fn: unknown, site: SiteId, call: () => T): T {
  if (!reading.has(fn)) return call()
  try {
    return call()
  } catch (error) {
    const text = placeOf(site)?.text
    if (text !== undefined && error instanceof assert!.AssertionError && error.generatedMessage && (error.message.startsWith(said) || saidOtherwise.test(error.message))) quote(error, text)
    throw error
  }
}

function quote(error: Error, expression: string): void {
  const { message, stack = '' } = error
  error.message = `${said}\n\n  ${expression}\n`
  error.stack = stack.replace(message, () => error.message)
}
