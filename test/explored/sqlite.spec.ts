import { createRequire } from 'node:module'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { outcomes } from './uninstrumented/outcomes.ts'
import { Database } from './uninstrumented/sqlite.ts'
import { Database as Wasm } from './uninstrumented/sqlite-wasm.ts'

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

type Rows = readonly Record<string, unknown>[]

interface Sqlite {
  exec(source: string): unknown
  prepare(source: string): { all(...values: unknown[]): Rows; get(...values: unknown[]): Record<string, unknown>; run(...values: unknown[]): unknown; iterate(...values: unknown[]): Iterable<Record<string, unknown>> }
  transaction?<T>(work: (...args: number[]) => T): (...args: number[]) => T
  close(): void
}

const packageOf = (): (new (file: string) => Sqlite) | undefined => {
  try {
    return createRequire(import.meta.url)('better-sqlite3') as new (file: string) => Sqlite
  } catch {
    return undefined
  }
}

const drivers: readonly (readonly [string, (new (file: string) => Sqlite) | undefined])[] = [
  ['node:sqlite', (sqlite as unknown as { DatabaseSync: new (file: string) => Sqlite } | undefined)?.DatabaseSync],
  ['better-sqlite3', packageOf()],
  ['wasm', Wasm as unknown as new (file: string) => Sqlite],
]

describe.each(drivers.filter(([, Driver]) => Driver !== undefined))('%s is put back after each execution', (name, Driver) => {
  const schema = `
    create table account (id integer primary key, balance);
    create table log (id integer primary key autincrement, text text);
    create table plain (a text collate nocase, b as (a || '!'));
    create table pair (a int, b int, primary key (a, b)) without rowid;
    create index ofPlain on plain (a);
    create trigger logs after update on account begin insert into log (text) values (new.balance); end;
    insert into account values (1, 100), (2, 100.5), (3, x'00ff');
    insert into log (text) values ('first');
    insert into plain (a) values ('x'), ('y');
    delete from plain where a = 'x';
    insert into pair values (1, 2);
    pragma user_version = 7;
  `.replace('autincrement', 'autoincrement')

  // What stands for a driver here lets no second connection look at a file meanwhile.
  describe.each(name === 'wasm' ? ['in memory'] : ['in memory', 'in a file', 'in a file with a log'])('%s', (where) => {
    let count = 0
    const open = (): Sqlite => {
      const db = new Driver!(where === 'in memory' ? ':memory:' : fileIn(`${name.replace(':', '-')}-${where.length}-${count++}.db`))
      if (where === 'in a file with a log') db.exec('pragma journal_mode = wal')
      db.exec(schema)
      return db
    }
    const contents = (db: Sqlite): unknown => [
      db.prepare('select *, typeof(balance) from account').all(),
      db.prepare('select * from log').all(),
      db.prepare('select rowid, * from plain').all(),
      db.prepare('select * from pair').all(),
      db.prepare("select type, name, sql from sqlite_master where name not like 'sqlite%' order by name").all(),
      db.prepare('select * from sqlite_sequence').all(),
      db.prepare('pragma user_version').all(),
    ]

    test('rows, counters and tables', async () => {
      const db = open()
      const before = contents(db)
      const add = async (amount: number) => {
        await null
        const { balance } = db.prepare('select balance from account where id = 1').get() as { balance: number }
        await null
        db.prepare('update account set balance = ? where id = 1').run(balance + amount)
      }
      const { seen, verdict } = await outcomes(async () => {
        db.exec("create table if not exists more (n int); insert into more values (1); insert into pair values (3, 4); delete from account where id = 3; insert into plain (a) values ('z'); pragma user_version = 8")
        await Promise.all([add(1), add(2)])
        return [db.prepare('select balance from account where id = 1').get()!['balance'], db.prepare('select count(*) as n from log').get()!['n'], db.prepare('select max(id) as n from log').get()!['n']]
      })
      expect({ seen, verdict }).toEqual({ seen: ['[101,3,3]', '[102,3,3]', '[103,3,3]'], verdict: 'holds' })
      expect(contents(db)).toEqual(before)
      db.close()
    })

    test('a transaction that is left open', async () => {
      const db = open()
      const before = contents(db)
      const { verdict } = await outcomes(async () => {
        db.exec('begin')
        db.exec('update account set balance = 1')
        await Promise.all([null, null])
      })
      expect(verdict).toBe('holds')
      expect(contents(db)).toEqual(before)
      db.close()
    })

    test('a table that is dropped', async () => {
      const db = open()
      const before = contents(db)
      const { verdict } = await outcomes(async () => {
        db.exec('drop table account; drop table plain; create table plain (other int)')
        await null
        return db.prepare('select * from plain').all()
      })
      expect(verdict).toBe('holds')
      expect(contents(db)).toEqual(before)
      db.close()
    })
  })

  test.skipIf(name === 'wasm')('by a connection that the body has opened, and closed', async () => {
    const file = fileIn(`${name.replace(':', '-')}-own.db`)
    const db = new Driver!(file)
    db.exec('create table account (id integer primary key, balance int); insert into account values (1, 100)')
    db.close()
    const { seen, verdict } = await outcomes(async () => {
      const own = new Driver!(file)
      const { balance } = own.prepare('select balance from account').get() as { balance: number }
      await null
      own.prepare('update account set balance = ?').run(balance + 1)
      own.close()
      return balance
    })
    expect({ seen, verdict }).toEqual({ seen: ['100'], verdict: 'holds' })
    const after = new Driver!(file)
    expect(after.prepare('select balance from account').get()!['balance']).toBe(100)
    after.close()
  })
})

describe.each(drivers.filter(([, Driver]) => Driver !== undefined))('statements of %s', (name, Driver) => {
  describe.each(['in memory', 'in a file'])('%s', (where) => {
    let count = 0
    const file = (): string => (where === 'in memory' ? ':memory:' : fileIn(`${name.replace(':', '-')}-statements-${count++}.db`))
    const open = (of = file()): Sqlite => {
      const db = new Driver!(of)
      db.exec('create table if not exists account (id integer primary key, balance int); insert or ignore into account values (1, 100), (2, 100)')
      return db
    }

    // Whose statements those are `node:sqlite` does not say.
    test.skipIf(name === 'node:sqlite')('of other rows come in any order, also where they were prepared before', async () => {
      const db = open()
      const read = db.prepare('select balance from account where id = ?')
      const write = db.prepare('update account set balance = :balance where id = :id')
      const add = async (id: number, amount: number): Promise<void> => {
        const balance = Number(read.get(id)['balance'])
        await null
        write.run({ balance: balance + amount, id })
      }
      const balance = (): Rows => db.prepare('select balance from account').all()
      const found = await outcomes(async () => {
        await Promise.all([add(1, 1), add(2, 2)])
        return balance()
      })
      expect(found).toMatchObject({ verdict: 'holds', executions: 1, seen: ['[{"balance":101},{"balance":102}]'] })
      const { seen } = await outcomes(async () => {
        await Promise.all([add(1, 1), add(1, 2)])
        return balance()[0]!['balance']
      })
      expect(seen).toEqual(['101', '102'])
      db.close()
    })

    test('that a loop goes through', async () => {
      const db = open()
      const list = async (): Promise<number> => {
        await null
        let sum = 0
        for (const { balance } of db.prepare('select balance from account').iterate()) sum += Number(balance)
        return sum
      }
      const change = async (): Promise<void> => {
        db.prepare('update account set balance = 1 where id = 1').run()
        await null
        db.prepare('update account set balance = 100 where id = 1').run()
      }
      const { seen, verdict } = await outcomes(async () => (await Promise.all([list(), change()]))[0])
      expect({ seen, verdict }).toEqual({ seen: ['101', '200'], verdict: 'holds' })
      db.close()
    })

    test('of two tables in one text', async () => {
      const db = open()
      db.exec('create table more (n int)')
      const write = async (): Promise<void> => {
        await null
        db.exec('insert into more values (1); update account set balance = 5 where id = 1')
      }
      const read = async (): Promise<unknown> => {
        await null
        return [db.prepare('select balance from account where id = ?').get(1)['balance'], db.prepare('select count(*) as n from more').get()['n']]
      }
      const { seen } = await outcomes(async () => (await Promise.all([read(), write()]))[0])
      expect(seen).toEqual(['[100,0]', '[5,1]'])
      db.close()
    })

    test.runIf(name !== 'node:sqlite')('in a transaction that was made before', async () => {
      const db = open()
      const read = db.prepare('select balance from account where id = ?')
      const add = db.transaction!((id, amount) => {
        const balance = Number(read.get(id)['balance'])
        db.prepare('update account set balance = ? where id = ?').run(balance + amount!, id)
        if (amount === 0) throw new Error('nothing to add')
      })
      const both = (other: number) => async () => {
        await Promise.all([1, other].map(async (id, i) => {
          await null
          add(id, i + 1)
        }))
        return db.prepare('select balance from account').all()
      }
      expect(await outcomes(both(2))).toMatchObject({ verdict: 'holds', executions: 1 })
      expect(await outcomes(both(1))).toMatchObject({ verdict: 'holds', executions: 2, seen: ['[{"balance":103},{"balance":100}]'] })
      db.close()
    })
  })

  test('look at the file, which somebody else may read', async () => {
    const file = fileIn(`${name.replace(':', '-')}-read.db`)
    const db = new Driver!(file)
    db.exec("pragma journal_mode = delete; create table t (id integer primary key, text text); insert into t values (1, 'aaaa')")
    const write = db.prepare("update t set text = 'bbbb' where id = 1")
    const { seen } = await outcomes(async () => {
      const read = async (): Promise<boolean> => {
        await null
        return readFileSync(file, 'latin1').includes('bbbb')
      }
      const change = async (): Promise<void> => {
        await null
        write.run()
      }
      return (await Promise.all([read(), change()]))[0]
    })
    expect(seen).toEqual(['false', 'true'])
    db.close()
  })
})
