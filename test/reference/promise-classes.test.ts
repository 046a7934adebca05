import { expect, test } from 'vitest'
import { plainRun } from './plain-run.ts'
import { exploreBody } from './project.ts'

const classes = `const log = []; let last
  class P extends Promise { constructor(executor) { super(executor); log.push('P') } static get [Symbol.species]() { log.push('species'); return Q } }
  class Q extends Promise { constructor(executor) { super(executor); log.push('Q'); last = this } }`

const bodies: Record<string, string> = {
  'an await': `const p = P.resolve(1); log.push('before'); await p; return log`,
  'what an async function returns': `const f = async () => P.resolve(1); await f(); log.push('after'); await null; return [log, last && (await last)]`,
  'what a promise is resolved with': `const p = new P((resolve) => setTimeout(resolve, 1)), q = new Promise((resolve) => resolve(p)); queueMicrotask(() => log.push('microtask')); await q; return [log, await last]`,
  'parts of a combinator': `const all = await Promise.all([P.resolve(1), P.resolve(2)]); return [log, all, await Promise.race([P.resolve(1), 3])]`,
  'an async generator': `async function* two() { yield P.resolve(1); await P.resolve(2) } for await (const value of two()) log.push(value); return log`,
  'for await': `for await (const value of [P.resolve(1), P.resolve(2)]) log.push(value); return log`,
  'finally': `await Promise.resolve(5).finally(() => P.resolve(1)); return log`,
  'a species that throws': `const p = P.resolve(1); p.constructor = { get [Symbol.species]() { throw new Error('no') } }
    return [await new Promise((resolve) => resolve(p)).catch(String), await (async () => { try { return await p } catch (error) { return String(error) } })()]`,
  'a constructor of its own': `const p = Promise.resolve(1); Object.defineProperty(p, 'constructor', { get() { log.push('constructor'); return Promise } }); await p; await new Promise((resolve) => resolve(p)); return log`,
}

test.each(Object.entries(bodies))('a promise of a subclass makes one of its species where its then is called (%s)', async (_, body) => {
  const source = `${classes}\n${body}`
  const plain = await plainRun(source)
  expect(await exploreBody(source)).toMatchObject({ first: plain, outcomes: [plain] })
})
