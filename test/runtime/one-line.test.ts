import { AsyncResource } from 'node:async_hooks'
import { expect, test } from 'vitest'
import { OneLine } from '../../src/runtime/execution/one-line.ts'

/** Whether a test is one line of control that does this in its first part, and then ends. */
function isWholeWith(work: (line: OneLine) => void): boolean {
  const line = new OneLine(() => 'waits')
  line.byRunner(() => line.begins())
  work(line)
  line.returned({})
  const last = {}
  line.made(last, undefined, { isInCall: false })
  line.jobBegins(last)
  return line.isWhole
}

test('what the platform begins for the program may be another line, and what it begins for the runtime is none', () => {
  const begin = (): AsyncResource => new AsyncResource('other')
  expect([isWholeWith(() => {}), isWholeWith(begin), isWholeWith((line) => line.aside(begin)), isWholeWith((line) => [line.aside(begin), line.aside(begin)])]).toEqual([true, false, true, true])
})
