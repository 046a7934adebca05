import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { explore } from 'vitest-dpor'
import { missing, startServer, type Connection, type Pool, type Queryable, type Server } from '../uninstrumented/mysql-server.ts'
import { outcomes } from '../uninstrumented/outcomes.ts'

let server: Server
let pool: Pool

/** In a transaction of its own; says how that ended. */
async function inTransaction(work: (connection: Connection) => Promise<unknown>, level = 'repeatable read'): Promise<string | number> {
  const connection = await pool.getConnection()
  try {
    await connection.query(`set transaction isolation level ${level}`)
    await connection.beginTransaction()
    await work(connection)
    await connection.commit()
    return 'committed'
  } catch (error) {
    await connection.rollback()
    return (error as { errno: number }).errno
  } finally {
    connection.release()
  }
}

async function add(asked: Queryable, amount: number, { locks = false } = {}): Promise<void> {
  const [rows] = await asked.execute(`select balance from account where id = ?${locks ? ' for update' : ''}`, [1])
  await asked.query('update account set balance = ? where id = 1', [rows[0].balance + amount])
}

const balances = async (): Promise<number[]> => (await pool.query('select balance from account order by id'))[0].map(({ balance }: { balance: number }) => balance)

describe.skipIf(missing !== undefined)(`MariaDB${missing === undefined ? '' : ` (${missing})`}`, () => {
  beforeAll(async () => {
    server = await startServer()
    const admin = await server.mysql.createConnection(server.config)
    await admin.query('create database shop_test')
    await admin.end()
    pool = server.mysql.createPool({ ...server.config, database: 'shop_test' })
    await pool.query('create table account (id int primary key, balance int)')
    await pool.query('insert into account values (1, 100), (2, 100)')
  })
  afterAll(async () => {
    await pool?.end()
    server?.stop()
  })

  describe.each(['await', 'event-loop'] as const)("interleave: '%s'", (interleave) => {
    const all = (body: () => Promise<unknown>) => outcomes(body, { interleave })

    test('autocommit: an update is lost in some orders', async () => {
      const { seen, verdict } = await all(async () => {
        await Promise.all([add(pool, 1), add(pool, 2)])
        return (await balances())[0]
      })
      expect({ seen, verdict }).toEqual({ seen: ['101', '102', '103'], verdict: 'holds' })
    })

    test.each([
      ['REPEATABLE READ', 'repeatable read', false, ['[101,"committed","committed"]', '[102,"committed","committed"]', '[103,"committed","committed"]']],
      ['with FOR UPDATE', 'read committed', true, ['[103,"committed","committed"]']],
      ['SERIALIZABLE', 'serializable', false, ['[101,"committed",1213]', '[102,1213,"committed"]', '[103,"committed","committed"]']],
    ] as const)('two transactions that read and write a row: %s', async (_, level, locks, expected) => {
      const { seen } = await all(async () => {
        const ends = await Promise.all([1, 2].map((amount) => inTransaction((connection) => add(connection, amount, { locks }), level)))
        return [(await balances())[0], ...ends]
      })
      expect(seen).toEqual(expected)
    })
  })

  test('a connection that a body has many times has no more listeners of ours than one', async () => {
    const warnings = vi.spyOn(process, 'emitWarning')
    const { verdict } = await outcomes(async () => {
      for (let times = 0; times < 12; times++) await pool.query('select balance from account where id = 1')
    })
    expect(verdict).toBe('holds')
    expect(warnings.mock.calls.map(([warning]) => String(warning))).toEqual([])
    warnings.mockRestore()
  })

  test('locks by names that a connection still has are let go of after each execution', async () => {
    const tryLock = async (): Promise<number> => {
      const connection = await pool.getConnection()
      const [rows] = await connection.query("select get_lock('job', 0) as has")
      connection.release()
      return rows[0].has
    }
    const { seen, verdict } = await outcomes(() => Promise.all([tryLock(), tryLock()]))
    expect({ seen, verdict }).toEqual({ seen: ['[0,1]', '[1,0]'], verdict: 'holds' })
    expect((await pool.query("select is_used_lock('job') as holder"))[0]).toEqual([{ holder: null }])
  })

  test('locks that are taken in two orders: a deadlock ends one transaction', async () => {
    const move = (from: number, to: number) =>
      inTransaction(async (connection) => {
        await connection.query('update account set balance = balance - 1 where id = ?', [from])
        await connection.query('update account set balance = balance + 1 where id = ?', [to])
      })
    const { seen, verdict } = await outcomes(async () => [...(await Promise.all([move(1, 2), move(2, 1)])), await balances()])
    expect(verdict).toBe('holds')
    expect(seen).toContain('["committed","committed",[100,100]]')
    expect(seen.filter((one) => one.includes('1213'))).not.toEqual([])
  })

  test('write skew: REPEATABLE READ lets it pass, SERIALIZABLE does not', async () => {
    const withdraw = (id: number, level: string) =>
      inTransaction(async (connection) => {
        const [rows] = await connection.query('select cast(sum(balance) as signed) as sum from account')
        if (rows[0].sum >= 200) await connection.query('update account set balance = 0 where id = ?', [id])
      }, level)
    const both = (level: string) => outcomes(async () => [await Promise.all([withdraw(1, level), withdraw(2, level)]), await balances()])
    expect((await both('repeatable read')).seen).toContain('[["committed","committed"],[0,0]]')
    const { seen } = await both('serializable')
    expect(seen.filter((one) => one.includes('[0,0]'))).toEqual([])
    expect(seen.filter((one) => one.includes('1213'))).not.toEqual([])
  })

  test('two who wait for one row get it in the order in which they came', async () => {
    const { seen } = await outcomes(async () => {
      const log: number[] = []
      const take = (n: number) =>
        inTransaction(async (connection) => {
          await connection.query('select * from account where id = 1 for update')
          log.push(n)
        })
      await Promise.all([1, 2, 3].map(take))
      return log.toSorted().join('')
    })
    expect(seen).toEqual(['"123"'])
  })

  test('insert if missing: the key says no to one of them', async () => {
    const insert = async () => {
      const [rows] = await pool.query('select * from account where id = 7')
      if (rows.length > 0) return 'found'
      return pool.execute('insert into account values (?, 0)', [7]).then(() => 'inserted', ({ errno }) => errno)
    }
    const { seen } = await outcomes(() => Promise.all([insert(), insert()]))
    expect(seen).toEqual(['["found","inserted"]', '["inserted","found"]', '["inserted",1062]', '[1062,"inserted"]'].toSorted())
  })

  test('a connection has its statements answered in the order in which they were asked', async () => {
    const { seen } = await outcomes(async () => {
      const connection = await pool.getConnection()
      const answers = await Promise.all([connection.query('update account set balance = 1 where id = 1'), connection.query('select balance from account where id = 1'), connection.query('update account set balance = 2 where id = 1')])
      connection.release()
      return answers[1][0][0].balance
    })
    expect(seen).toEqual(['1'])
  })

  test('who has waited for a row conflicts with nobody who changes another one', async () => {
    const change = (row: number) => inTransaction((connection) => connection.query('update account set balance = balance + 1 where id = ?', [row]))
    const { seen, verdict, executions } = await outcomes(async () => {
      await Promise.all([change(1), change(1), change(2)])
      return balances()
    })
    expect({ seen, verdict, executions }).toEqual({ seen: ['[102,101]'], verdict: 'holds', executions: 24 })
  })

  test('who waits for a row that only the test itself lets go of gets the error of the server, and its transaction goes on', async () => {
    const { seen, verdict } = await outcomes(async () => {
      const [holder, other] = [await pool.getConnection(), await pool.getConnection()]
      await holder.beginTransaction()
      await holder.query('update account set balance = 1 where id = 1')
      await other.beginTransaction()
      await other.query('update account set balance = 2 where id = 2')
      const ended = await other.query('update account set balance = 2 where id = 1').then(() => 'done', (error: { errno: number }) => error.errno)
      await other.commit()
      await holder.rollback()
      holder.release()
      other.release()
      return [ended, ...(await balances())]
    })
    expect({ seen, verdict }).toEqual({ seen: ['[1205,100,2]'], verdict: 'holds' })
  })

  test('a pool that is used up is waited for, and nobody finds a deadlock by luck', async () => {
    const small = server.mysql.createPool({ ...server.config, database: 'shop_test', connectionLimit: 2 })
    const two = async () => {
      const first = await small.getConnection()
      await first.query('select 1')
      const second = await small.getConnection()
      second.release()
      first.release()
    }
    const { verdict, failures } = await explore(() => Promise.all([two(), two()]), { stopOnFirst: false })
    expect({ verdict, kinds: [...new Set(failures.map(({ kind }) => kind))] }).toEqual({ verdict: 'fails', kinds: ['deadlock'] })
    await small.end()
  })

  test.each([
    ['for nobody', { waitForConnections: false }, 'No connections available.', 2],
    ['for no more than one', { queueLimit: 1 }, 'Queue limit reached.', 3],
  ])('a pool that lets wait %s refuses others, in the orders in which all its connections are in use', async (_, options, words, callers) => {
    const small = server.mysql.createPool({ ...server.config, database: 'shop_test', connectionLimit: 1, ...options })
    await small.query('select 1')
    const inConnection = async (): Promise<void> => {
      const connection = await small.getConnection()
      await connection.query('select 1')
      connection.release()
    }
    const byPool = async (): Promise<void> => void (await small.query('select 1'))
    for (const ask of [inConnection, byPool]) {
      const { seen, verdict } = await outcomes(async () => {
        const late = async (): Promise<void> => {
          await Promise.resolve()
          await ask()
        }
        const settled = await Promise.allSettled([late(), ...Array.from({ length: callers - 1 }, ask)])
        return settled.map((one) => (one.status === 'rejected' ? (one.reason as Error).message : 'answered')).toSorted()
      })
      const refused = [words, ...Array.from({ length: callers - 1 }, () => 'answered')]
      expect({ seen: seen.toSorted(), verdict }).toEqual({ seen: [refused, refused.map(() => 'answered')].map((ends) => JSON.stringify(ends)).toSorted(), verdict: 'holds' })
    }
    await small.query('select 1')
    await small.end()
  })

  test('connections of a pool that has enough are as good as one another', async () => {
    const use = async () => {
      const connection = await pool.getConnection()
      await connection.beginTransaction()
      connection.release()
    }
    expect(await outcomes(() => Promise.all([use(), use()]))).toMatchObject({ verdict: 'holds', executions: 1 })
  })

  test('connections and pools of the body, callbacks, and what was prepared', async () => {
    const { seen, verdict } = await outcomes(async () => {
      const config = { ...server.config, database: 'shop_test' }
      const own = server.callbacks.createPool(config)
      const called = new Promise((resolve, reject) => {
        own.getConnection((error: Error | null, connection: any) => {
          if (error) return reject(error)
          connection.execute('select ? as n', ['5'], (_: unknown, rows: { n: string }[]) => {
            connection.release()
            resolve(rows[0]!.n)
          })
        })
      })
      const promising = await server.mysql.createConnection(config)
      const statement = await promising.prepare('select ? + 1 as n')
      const [[prepared]] = await statement.execute([1])
      const plain = server.callbacks.createConnection(config)
      const queried = await new Promise((resolve) => void plain.query({ sql: 'select ? as n', values: [3] }, (_: unknown, rows: { n: number }[]) => resolve(rows[0]!.n)))
      await statement.close()
      await promising.end()
      return [await called, Number(prepared.n), queried]
    })
    expect({ seen, verdict }).toEqual({ seen: ['["5",2,3]'], verdict: 'holds' })
  })

  describe('what goes wrong', () => {
    test('errors of the server are outcomes', async () => {
      expect(await outcomes(() => pool.query('selec 1').catch(({ errno }) => errno))).toMatchObject({ seen: ['1064'], verdict: 'holds' })
    })

    test('no server: the error says so', async () => {
      const { verdict } = await explore(async () => {
        await expect(server.mysql.createPool({ socketPath: '/nowhere', user: 'root' }).query('select 1')).rejects.toThrow('ENOENT')
        await expect(server.mysql.createConnection({ socketPath: '/nowhere', user: 'root' })).rejects.toThrow('ENOENT')
      })
      expect(verdict).toBe('holds')
    })

    test('a connection that is killed', async () => {
      const { verdict } = await explore(async () => {
        const connection = await pool.getConnection()
        await connection.query('kill connection_id()').catch(() => {})
        const error: unknown = await connection.query('select 1').catch((thrown: unknown) => thrown)
        connection.release()
        expect(String(error)).toMatch(/connection|closed|EPIPE|ECONNRESET|interrupted|ended/i)
      })
      // In which words it is told is nobody's choice.
      expect(verdict).not.toBe('fails')
      // The pool may give it once more, if it has not heard yet that it is gone.
      await pool.query('select 1').catch(() => {})
      expect((await pool.query('select 1 as n'))[0]).toEqual([{ n: 1 }])
    })

    test('a connection that is closed lets go of what it holds', async () => {
      const { seen, verdict } = await outcomes(async () => {
        const connection = await pool.getConnection()
        await connection.beginTransaction()
        await connection.query('update account set balance = 0 where id = 1')
        connection.destroy()
        await pool.query('update account set balance = balance + 1 where id = 1')
        return balances()
      })
      expect({ seen, verdict }).toEqual({ seen: ['[101,100]'], verdict: 'holds' })
    })

    test('transactions that nobody ends are rolled back, and what waits for them is given up', async () => {
      const hold = async () => {
        const connection = await pool.getConnection()
        await connection.beginTransaction()
        await connection.query('update account set balance = 0 where id = 1')
      }
      for (let i = 0; i < 20; i++) await explore(() => Promise.all([hold(), hold()]))
      expect((await pool.query('select count(*) as open from information_schema.innodb_trx'))[0]).toEqual([{ open: 0 }])
      expect(await balances()).toEqual([100, 100])
    })

    test('a statement that takes too long is said to, and is ended', async () => {
      const { verdict, inconclusiveReason } = await explore(() => pool.query('select sleep(100)'), { maxTime: 300 })
      expect({ verdict, inconclusiveReason }).toEqual({ verdict: 'inconclusive', inconclusiveReason: expect.stringMatching(/^maxTime of 300 ms, before the answer to '/) })
      const [rows] = await pool.query('show processlist')
      expect(rows.filter(({ Info }: { Info: string | null }) => Info?.includes('sleep(100)'))).toEqual([])
    })

    test('a stream of rows is refused', async () => {
      await expect(explore(async () => void pool.pool.query('select 1').stream())).rejects.toThrow('it reads rows by a stream')
    })
  })
})
