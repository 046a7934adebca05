import util, { types } from 'node:util'
import { isAsyncFunction, isGeneratorFunction } from 'node:util/types'
import { expect, test } from 'vitest'
import { dporTest } from 'vitest-dpor'

class Kinds {
  async method() { await null }
  async *generated() { yield 1 }
  *plain() { yield 1 }
}

/** What is asked, and what the platform says of it where nothing is instrumented. */
const kinds: [fn: unknown, isAsync: boolean, isGenerator: boolean][] = [
  [async () => { await null }, true, false],
  [async function named() { await null }, true, false],
  [async function* () { yield 1 }, true, true],
  [function* () { yield 1 }, false, true],
  [Kinds.prototype.method, true, false],
  [Kinds.prototype.generated, true, true],
  [Kinds.prototype.plain, false, true],
  [() => Promise.resolve(), false, false],
  [Kinds, false, false],
  [new Proxy(async () => {}, {}), false, false],
  [Object.create(async () => {}), false, false],
  ['async', false, false],
  [undefined, false, false],
]

const asked = (): unknown => {
  for (const ask of [isAsyncFunction, types.isAsyncFunction, util.types.isAsyncFunction]) expect(kinds.map(([fn]) => ask(fn))).toEqual(kinds.map(([, isAsync]) => isAsync))
  for (const ask of [isGeneratorFunction, types.isGeneratorFunction]) expect(kinds.map(([fn]) => ask(fn))).toEqual(kinds.map(([, , isGenerator]) => isGenerator))
  return expect([isAsyncFunction.name, isAsyncFunction.length]).toEqual(['isAsyncFunction', types.isPromise.length])
}

test('outside an exploration functions are of the kind that they were written as', asked)

dporTest('and inside one', async () => {
  asked()
  await null
  asked()
})
