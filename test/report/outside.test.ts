import RedisMock from 'ioredis-mock'
import { mkdtempSync, promises, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import type { ExecutionOrder } from '../../src/engine/index.ts'
import type { Access } from '../../src/report/accesses.ts'
import { Descent } from '../../src/report/descent.ts'
import { returnsOutside } from '../../src/report/stale-outside.ts'
import { rememberDriver } from '../../src/runtime/execution/loaded-drivers.ts'
import { investigated, madeOf } from './executed.ts'

// What loads packages does so elsewhere.
rememberDriver('ioredis-mock/lib/index.js', createRequire(import.meta.url)('ioredis-mock'))

/** As packages are that keep something in a store for somebody: who reads and who writes are functions of theirs. */
const store = `
  const get = async (key) => JSON.parse((await store.get(key)) ?? '{}')
  const set = async (key, value) => { await store.set(key, JSON.stringify(value)) }
  const byCallback = (work) => new Promise((resolve, reject) => work().then(resolve, reject))`

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'outside-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

const story = async (code: string): Promise<readonly [kind: string, headline: string]> => {
  const { explanation } = await investigated(`${store}${code}`, { given: { store: new RedisMock() } })
  return [explanation.kind, explanation.headline]
}

test('what one function of a package has read for a call, and another one writes for it, is stale once another call has written', async () => {
  const [kind, headline] = await story(`
    await set('session', { user: 1 })
    const add = async (field) => { const found = await byCallback(() => get('session')); await byCallback(() => set('session', { ...found, [field]: 1 })) }
    await Promise.all([add('a'), add('b')])
    if (Object.keys(await get('session')).length !== 3) throw new Error('lost')`)
  expect(kind).toBe('lost-update')
  expect(headline).toMatch(/^Lost update on session: set#2 wrote .* from a value read before set#1 wrote /)
})

test('so is what leads to a write of something else', async () => {
  const [kind, headline] = await story(`
    const leave = async (name, other) => { const there = await byCallback(() => get(other)); if (!there.left) await byCallback(() => set(name, { left: true })) }
    for (const name of ['ann', 'bob']) await set(name, {})
    await Promise.all([leave('ann', 'bob'), leave('bob', 'ann')])
    if ((await get('ann')).left && (await get('bob')).left) throw new Error('nobody is left')`)
  expect(kind).toBe('write-skew')
  expect(headline).toMatch(/^Write skew on (?:ann|bob): /)
})

test('so is a file that was read for a call which then writes it', async () => {
  const folder = newFolder()
  const file = path.join(folder, 'settings.json')
  const { explanation } = await investigated(`
    await fs.writeFile(file, '{}')
    const add = async (key) => { const found = JSON.parse(await fs.readFile(file, 'utf8')); found[key] = 1; await fs.writeFile(file, JSON.stringify(found)) }
    await Promise.all([add('a'), add('b')])
    if (Object.keys(JSON.parse(await fs.readFile(file, 'utf8'))).length !== 2) throw new Error('lost')`, { given: { fs: promises, file } })
  expect(explanation.headline).toMatch(/^Lost update on file\[".*settings.json"\]: writeFile#\d wrote .* from a value read before writeFile#\d wrote /)
})

test('what is done after the answer of a file, in its event, is done by that', async () => {
  const folder = newFolder()
  for (const name of ['a', 'b']) writeFileSync(path.join(folder, name), name)
  const { explanation } = await investigated(`
    const log = []
    const read = async (file) => { const text = await fs.readFile(file, 'utf8'); log.push(text) }
    await Promise.all([read(folder + '/a'), read(folder + '/b')])
    if (log[0] !== 'a') throw new Error('in the wrong order')`, { given: { fs: promises, folder }, interleave: 'event-loop' })
  expect(explanation.headline).toBe('Order violation on log: readFile#1 pushed "a" after readFile#2 pushed "b". Nothing recorded orders the two.')
})

test.each(['await', 'event-loop'] as const)('what begins in the event of an answer goes on with that: %s', async (interleave) => {
  const folder = newFolder()
  const file = path.join(folder, 'list.json')
  const lost = await investigated(`
    await writeFile(file, '[]')
    const add = async (n) => { const list = JSON.parse(await readFile(file, 'utf8')); list.push(n); await writeFile(file, JSON.stringify(list)) }
    await Promise.all([add(1), add(2)])
    if (JSON.parse(await readFile(file, 'utf8')).length !== 2) throw new Error('lost')`, { given: { ...promises, file }, interleave })
  expect(lost.explanation.headline).toMatch(/^Lost update on file\[".*list\.json"\]: writeFile#3 wrote "\[2\]" from a value read before writeFile#2 wrote "\[1\]"/)
  const made = await investigated(`
    const ensure = async () => { if (!(await stat(folder).then(() => true, () => false))) await mkdir(folder) }
    await Promise.all([ensure(), ensure()])`, { given: { ...promises, folder: path.join(folder, 'cache') }, interleave })
  expect(made.explanation).toMatchObject({ kind: 'check-then-act', headline: expect.stringMatching(/: stat#2 looked at it for mkdir#2, then mkdir#1 changed it, then mkdir#2 still changed it/) })
})

test.each(['await', 'event-loop'] as const)('what the `then` of a package asks for is asked for by the call that awaits that: %s', async (interleave) => {
  const db = madeOf(`
    class Query {
      constructor(work) { this.work = work }
      async execute() { return await ask(this.work) }
      then(fulfil, reject) { return this.execute().then(fulfil, reject) }
    }
    async function ask(work) { return await work(store) }
    return { select: (key) => new Query((all) => all.get(key)), update: (key, value) => new Query((all) => all.set(key, value)) }`, '/app/node_modules/builder/index.cjs', { store: new RedisMock() })
  const { explanation } = await investigated(`
    await db.update('seat', '')
    const book = async (who) => { if (await db.select('seat')) return false; await db.update('seat', who); return true }
    const booked = await Promise.all([book('ann'), book('bob')])
    if (booked[0] && booked[1]) throw new Error('twice')`, { interleave, given: { db } })
  expect(explanation.headline).toBe('Check-then-act on seat: book#2 read "", then book#1 wrote "ann", then book#2 still wrote "bob".')
  expect(explanation.columns.map(({ name }) => name).toSorted()).toEqual(['book#1', 'book#2'])
})

test.each(['await', 'event-loop'] as const)('a package that writes files one after the other, and asks where they are and how old, writes by what its caller has read: %s', async (interleave) => {
  const file = path.join(newFolder(), 'list.json')
  const write = madeOf(`
    const { rename, writeFile, realpath, stat } = promises
    const waiting = []
    let count = 0
    async function writeOne(name, data) {
      const temporary = name + '.' + ++count
      try {
        await new Promise((resolve) => { waiting.push(resolve); if (waiting.length === 1) resolve() })
        const real = await realpath(name)
        await stat(real)
        await writeFile(temporary, data)
        await rename(temporary, real)
      } finally {
        waiting.shift()
        waiting[0]?.()
      }
    }
    return (name, data) => writeOne(name, data)`, '/app/node_modules/atomic/index.cjs', { promises })
  const { explanation } = await investigated(`
    await writeFile(file, '[]')
    const add = async (n) => { const list = JSON.parse(await readFile(file, 'utf8')); list.push(n); await write(file, JSON.stringify(list)) }
    await Promise.all([add(1), add(2)])
    if (JSON.parse(await readFile(file, 'utf8')).length !== 2) throw new Error('lost')`, { given: { ...promises, file, write }, interleave })
  expect(explanation.headline).toMatch(/^Lost update on file\[".*list\.json"\]: (add|rename)#2 wrote "\[2\]" from a value read before (add|rename)#1 wrote "\[1\]"/)
})

test('but not what the call itself has changed meanwhile', async () => {
  const [kind] = await story(`
    const count = async () => { await get('n'); const done = set('n', 1); await done; await set('n', 2) }
    await Promise.all([count()])
    if ((await get('n')) === 2) throw new Error('no race')`)
  expect(kind).toBe('error')
})

test('of two transactions each is a line of its own, whoever sends what they ask', () => {
  const access = (index: number, process: number, transaction: number, kind: 'read' | 'write'): Access => ({
    index, step: index, process, kind, transaction, location: 1, object: 1, owner: 'account', key: { kind: 'resource', key: 1 }, value: { type: 'object', text: `{"v":${index}}` },
    look: undefined, member: undefined, found: undefined, as: undefined, within: undefined, isOfCall: false, place: undefined, command: undefined, doing: undefined, isOfAssignment: false, isOfOpaque: false, isGone: false,
  })
  const accesses = [access(0, 1, 1, 'read'), access(1, 2, 2, 'read'), access(2, 1, 1, 'write'), access(3, 2, 2, 'write')]
  const steps = [1, 2].map((process) => ({ process, place: undefined, accesses: [], spawned: [], time: undefined }))
  // The second comes from the first, as where one has sent what both have asked.
  const order = { steps: [{ process: 1, after: [] }, { process: 2, after: [{ step: 0, reason: 'spawn' }] }] } as unknown as ExecutionOrder
  expect(returnsOutside(accesses, new Descent({ steps, order }))).toEqual([{ looked: accesses[1], changed: [accesses[2]], back: accesses[3], isApart: true }])
})

const folderOf = `const file = path.join(folder, 'counts.json')
const add = async (write) => {
  const counts = JSON.parse(await promises.readFile(file, 'utf8'))
  await write(JSON.stringify({ n: counts.n + 1 }))
}`

test.each([
  ['written where it is', 'promises.writeFile(file, text)'],
  ['written beside it and renamed', "promises.writeFile(file + '.' + who, text).then(() => promises.rename(file + '.' + who, file))"],
])('an update of a file that is lost, %s, is told what would mend it', async (_, write) => {
  const folder = newFolder()
  writeFileSync(path.join(folder, 'counts.json'), '{"n":0}')
  const { message } = await investigated(`${folderOf}
    await Promise.all(['a', 'b'].map((who) => add(async (text) => { await ${write} })))
    if (JSON.parse(await promises.readFile(file, 'utf8')).n !== 2) throw new Error('lost')`, { given: { path, promises, folder } })
  const text = stripVTControlCharacters(message).replaceAll(/\s+/g, ' ')
  expect(text).toContain('Lost update on file')
  expect(text).toContain("What would mend it: a queue in which each reads and writes once the one before has written, and between processes a lock file that is made with the flag 'wx'. To write another file and rename it would not")
})

test('who acts by how old a file is has checked it, and has lost nothing that is in it', async () => {
  const folder = newFolder()
  const { explanation, message } = await investigated(`
    const lock = path.join(folder, 'lock')
    await promises.writeFile(lock, 'old')
    let holders = 0
    const take = async (who) => {
      const { size } = await promises.stat(lock)
      if (size > 3) return
      await promises.writeFile(lock, 'taken by ' + who)
      holders++
    }
    await Promise.all([take('a'), take('b')])
    if (holders > 1) throw new Error('two')`, { given: { path, promises, folder } })
  expect(explanation.kind).toBe('check-then-act')
  expect(stripVTControlCharacters(message).replaceAll(/\s+/g, ' ')).toMatch(/^Check-then-act on file\[".*lock"\]: .* read \[Stats\].* then .*What would mend it: the flag 'wx', or another call that looks and acts at once/)
})
