import { createRequire } from 'node:module'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { rememberDriver } from '../../src/runtime/execution/loaded-drivers.ts'
import { investigated } from '../report/executed.ts'

const require = createRequire(import.meta.url)
// What loads packages does so elsewhere.
const RedisMock = require('ioredis-mock') as new () => object
rememberDriver('ioredis-mock/lib/index.js', RedisMock)

const clients = ['one', 'other'].map(() => new RedisMock())

/** What a failing body is told by: its headline, and what would mend it. */
async function told(code: string): Promise<string> {
  const { message } = await investigated(code, { given: { clients }, maxExecutions: 300 })
  return stripVTControlCharacters(message).replaceAll(/\s+/g, ' ')
}

const lock = `let inside = 0
const work = async (client, me) => {
  const has = (await client.setnx('lock', me)) === 1
  try {
    if (!has) return
    if (++inside > 1) throw new Error('two are inside')
    await client.get('work')
    inside--
  } finally {
    await client.del('lock')
  }
}
await clients[0].del('lock')
await Promise.all([work(clients[0], 'a'), work(clients[1], 'b'), work(clients[0], 'c')])`

test('a lock that is released by who could not take it', async () => {
  expect(await told(lock)).toMatch(/Wrong-holder release on lock: work#\d wrote "\w", then work#\d wrote null over it, and work#\d wrote "\w"\..* What would mend it: a value of its own for each holder/)
})

const add = `const add = async (client) => {
  await client.watch('n')
  const n = Number(await client.get('n'))
  await client.multi().set('n', n + 1).exec()
}
await clients[0].set('n', 0)
await Promise.all([add(clients[0]), add(clients[1])])
if ((await clients[0].get('n')) !== '2') throw new Error('lost')`

test('who watches, and does not try again, is told to', async () => {
  expect(await told(add)).toContain('What would mend it: another try where EXEC gives nothing, as it does once another one has changed what is watched.')
})

test('who does not watch is told to do that', async () => {
  expect(await told(add.replace("await client.watch('n')", ''))).toMatch(/What would mend it: .*WATCH before the look/)
})

const session = `const save = async () => {
  const found = await clients[0].get('session')
  if (found !== null) await clients[0].set('session', found + ' seen')
}
await clients[0].set('session', 'ann')
await Promise.all([save(), clients[1].del('session')])
if ((await clients[0].get('session')) !== null) throw new Error('there again')`

test('who writes back what another one has removed is told how not to make it again', async () => {
  expect(await told(session)).toMatch(/^Lost update on session: .* What would mend it: SET with XX, /)
  await expect(told(session.replace("' seen')", "' seen', 'XX')"))).rejects.toThrow('no failure: holds')
})

const leased = `const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const withLock = async (client, token, work) => {
  if ((await client.set('lease', token, 'PX', 1000, 'NX')) !== 'OK') return
  try {
    await work()
  } finally {
    await client.del('lease')
  }
}
const slow = withLock(clients[0], 'first', () => sleep(1500))
const next = (async () => {
  await sleep(1200)
  await withLock(clients[1], 'second', async () => {
    const holder = await clients[1].get('lease')
    await sleep(500)
    if ((await clients[1].get('lease')) !== holder) throw new Error('it is not mine any more')
  })
})()
await Promise.all([slow, next])`

test('a lock that is released by who had it before its time was over', async () => {
  expect(await told(leased)).toMatch(/Wrong-holder release on lease: .* What would mend it: a value of its own for each holder/)
})
