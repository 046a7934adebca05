import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { outcomes } from './uninstrumented/outcomes.ts'
import { Database } from './uninstrumented/sqlite.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'vitest-dpor-sqlite-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const fileIn = (name: string): string => path.join(folder, name)

describe('two connections of SQLite to one file', () => {
  test('a reader that is late in the plain order reads what was there before as well', async () => {
    const first = new Database(fileIn('a'))
    const second = new Database(fileIn('a'))
    const { seen } = await outcomes(async () => {
      first.exec('1')
      const read = async () => {
        for (let i = 0; i < 3; i++) await null
        return second.prepare('select').get().n
      }
      const write = async () => {
        first.exec('2')
        await null
        first.exec('1')
      }
      return (await Promise.all([read(), write()]))[0]
    })
    expect(seen).toEqual(['1', '2'])
  })

  test('so it does by statements that were prepared before', async () => {
    const write = new Database(fileIn('b')).prepare('update')
    const read = new Database(fileIn('b')).prepare('select')
    const { seen } = await outcomes(async () => {
      write.run(1)
      const change = async () => {
        write.run(2)
        await null
        write.run(1)
      }
      const look = async () => {
        for (let i = 0; i < 3; i++) await null
        return read.get().n
      }
      return (await Promise.all([look(), change()]))[0]
    })
    expect(seen).toEqual(['1', '2'])
  })
})

const sqlite = process.getBuiltinModule('node:sqlite' as 'node:fs') as unknown as { DatabaseSync: new (file: string) => { exec(source: string): void; prepare(source: string): { get(): { n: number }; run(): void } } } | undefined

describe.skipIf(!sqlite)('node:sqlite', () => {
  test.each([[true], [false]])('two connections to one file share it, statements prepared before: %s', async (isPreparedBefore) => {
    const [first, second] = [1, 2].map(() => new sqlite!.DatabaseSync(fileIn('node.db')))
    first!.exec('drop table if exists t; create table t (n int); insert into t values (1)')
    const before = isPreparedBefore ? second!.prepare('select n from t') : undefined
    const { seen } = await outcomes(async () => {
      first!.exec('update t set n = 1')
      const read = async () => {
        for (let i = 0; i < 3; i++) await null
        return (before ?? second!.prepare('select n from t')).get().n
      }
      const write = async () => {
        first!.exec('update t set n = 2')
        await null
        first!.exec('update t set n = 1')
      }
      return (await Promise.all([read(), write()]))[0]
    })
    expect(seen).toEqual(['1', '2'])
  })
})
