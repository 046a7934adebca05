import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { explore } from 'vitest-dpor'
import { counting, onlyOnce, outcomes } from '../uninstrumented/outcomes.ts'
import { missing, startServer, type Client, type Pool, type Server } from '../uninstrumented/postgres-server.ts'

let server: Server
let pool: Pool

const reset = 'delete from account; insert into account values (1, 100), (2, 100)'

/** In a transaction of its own; says how that ended. */
async function inTransaction(work: (client: Client) => Promise<unknown>, begin = 'begin'): Promise<string> {
  const client = await pool.connect()
  try {
    await client.query(begin)
    await work(client)
    await client.query('commit')
    return 'committed'
  } catch (error) {
    await client.query('rollback')
    return (error as { code: string }).code
  } finally {
    client.release()
  }
}

async function add(client: { query: Pool['query'] }, amount: number, { locks = false } = {}): Promise<void> {
  const { rows } = await client.query(`select balance from account where id = $1${locks ? ' for update' : ''}`, [1])
  await client.query('update account set balance = $1 where id = 1', [rows[0].balance + amount])
}

const balances = async (): Promise<number[]> => (await pool.query('select balance from account order by id')).rows.map(({ balance }) => balance)

describe.skipIf(missing !== undefined)(`PostgreSQL${missing === undefined ? '' : ` (${missing})`}`, () => {
  beforeAll(async () => {
    server = startServer()
    pool = new server.pg.Pool(server.config)
    pool.on('error', () => {})
    await pool.query('create table account (id int primary key, balance int)')
  })
  afterAll(async () => {
    await pool?.end()
    server?.stop()
  })

  /** What the body returns, in all orders. */
  const all = (body: () => Promise<unknown>, interleave: 'await' | 'event-loop' = 'await') =>
    outcomes(async () => {
      await pool.query(reset)
      return body()
    }, { interleave })

  test('what is kept for a client is found by whoever has that one first, in each execution', async () => {
    const known = new WeakMap<Client, { uses: number }>()
    const use = async (): Promise<void> => {
      const client = await pool.connect()
      if (!known.has(client)) known.set(client, { uses: 0 })
      await client.query('update account set balance = balance + 1 where id = 1')
      client.release()
    }
    await use()
    expect((await all(() => Promise.all([use(), use()]))).verdict).toBe('holds')
  })

  test('what somebody writes on a client of a pool is not there in the next execution', async () => {
    const own = new server.pg.Pool(server.config)
    const use = async (): Promise<unknown> => {
      const client = (await own.connect()) as Client & { uses?: number }
      const before = client.uses
      client.uses = 1
      await client.query('update account set balance = balance + 1 where id = 1')
      client.release()
      return before
    }
    const { seen, verdict } = await all(() => Promise.all([use(), use()]))
    expect({ seen, verdict }).toEqual({ seen: ['[null,null]'], verdict: 'holds' })
    await own.end()
  })

  describe.each(['await', 'event-loop'] as const)("interleave: '%s'", (interleave) => {
    test('autocommit: an update is lost in some orders', async () => {
      const { seen } = await all(async () => {
        await Promise.all([add(pool, 1), add(pool, 2)])
        return (await balances())[0]
      }, interleave)
      expect(seen).toEqual(['101', '102', '103'])
    })

    test.each([
      ['READ COMMITTED', 'begin', false, ['[101,"committed","committed"]', '[102,"committed","committed"]', '[103,"committed","committed"]']],
      ['with FOR UPDATE', 'begin', true, ['[103,"committed","committed"]']],
      ['REPEATABLE READ', 'begin isolation level repeatable read', false, ['[101,"committed","40001"]', '[102,"40001","committed"]', '[103,"committed","committed"]']],
    ] as const)('two transactions that read and write a row: %s', async (_, begin, locks, expected) => {
      const { seen } = await all(async () => {
        const ends = await Promise.all([1, 2].map((amount) => inTransaction((client) => add(client, amount, { locks }), begin)))
        return [(await balances())[0], ...ends]
      }, interleave)
      expect(seen).toEqual(expected)
    })

    test('locks that are taken in two orders: a deadlock ends one transaction, whichever', async () => {
      const move = (from: number, to: number) =>
        inTransaction(async (client) => {
          await client.query('update account set balance = balance - 1 where id = $1', [from])
          await client.query('update account set balance = balance + 1 where id = $1', [to])
        })
      const { seen } = await all(async () => [...(await Promise.all([move(1, 2), move(2, 1)])), await balances()], interleave)
      expect(seen).toEqual(['["40P01","committed",[101,99]]', '["committed","40P01",[99,101]]', '["committed","committed",[100,100]]'])
    })
  })

  test('two circles that share who waits in both: one ends, and then the other one, if it is left', async () => {
    const { seen } = await all(async () => {
      const [writer, ...readers] = await Promise.all([pool.connect(), pool.connect(), pool.connect()])
      for (const client of [writer, ...readers]) await client.query('begin')
      await writer.query('update account set balance = balance + 1 where id = 2')
      for (const reader of readers) await reader.query('select * from account where id = 1 for share')
      const end = async (client: Client, id: number): Promise<string> => {
        const code = await client.query('update account set balance = balance + 10 where id = $1', [id]).then(() => 'committed', (error: { code: string }) => error.code)
        await client.query('commit')
        client.release()
        return code
      }
      return [...(await Promise.all([end(writer, 1), ...readers.map((reader) => end(reader, 2))])), await balances()]
    })
    expect(seen).toEqual(['["40P01","40P01","committed",[100,110]]', '["40P01","committed","40P01",[100,110]]', '["40P01","committed","committed",[100,120]]', '["committed","40P01","40P01",[110,101]]'])
  })

  test('the error of a deadlock names the statements that wait for each other', async () => {
    const { failures } = await explore(async () => {
      await pool.query(reset)
      const move = async (...ids: number[]) => {
        const client = await pool.connect()
        await client.query('begin')
        for (const id of ids) await client.query('update account set balance = 0 where id = $1', [id])
        await client.query('commit')
        client.release()
      }
      await Promise.all([move(1, 2), move(2, 1)])
    })
    const [one, other] = [1, 2].map((id) => `update account set balance = 0 where id = $1 [${id}]`)
    expect([`deadlock detected: ${one} waits for the transaction of ${other}; ${other} waits for the transaction of ${one}`, `deadlock detected: ${other} waits for the transaction of ${one}; ${one} waits for the transaction of ${other}`]).toContain((failures[0]!.error as Error).message)
  })

  test.each([
    ['REPEATABLE READ', 'repeatable read', ['[["committed","committed"],[0,0]]', '[["committed","committed"],[0,100]]', '[["committed","committed"],[100,0]]']],
    ['SERIALIZABLE', 'serializable', ['[["40001","committed"],[100,0]]', '[["committed","40001"],[0,100]]', '[["committed","committed"],[0,100]]', '[["committed","committed"],[100,0]]']],
  ])('write skew: %s', async (_, level, expected) => {
    const withdraw = (id: number) =>
      inTransaction(async (client) => {
        const { rows } = await client.query('select sum(balance)::int as sum from account')
        if (rows[0].sum >= 200) await client.query('update account set balance = 0 where id = $1', [id])
      }, `begin isolation level ${level}`)
    const { seen } = await all(async () => [await Promise.all([withdraw(1), withdraw(2)]), await balances()])
    expect(seen).toEqual(expected)
  })

  test('two who wait for one row get it in the order in which they came', async () => {
    const { seen } = await all(async () => {
      const log: number[] = []
      const take = (n: number) =>
        inTransaction(async (client) => {
          await client.query('select * from account where id = 1 for update')
          log.push(n)
        })
      await Promise.all([1, 2, 3].map(take))
      return log.toSorted().join('')
    })
    expect(seen).toEqual(['"123"'])
  })

  test('what becomes of tables between two explorations is known in the second', async () => {
    await pool.query('create table part (id int primary key, name text, price int); create table offer (id int primary key, part_id int)')
    const executions = async (...texts: string[]): Promise<number> => {
      const found = await outcomes(async () => {
        await pool.query('delete from offer; delete from part')
        await Promise.all(texts.map((text) => pool.query(text).catch(() => {})))
      })
      expect(found.verdict).toBe('holds')
      return found.executions
    }
    const twoParts = ["insert into part (id, name) values (1, 'bolt')", "insert into part (id, name) values (2, 'bolt')"]
    const partAndOffer = ["insert into part (id, name) values (1, 'bolt')", 'insert into offer values (1, 1)']
    const prices = ['insert into part (id) values (1)', "insert into part (id) values (2)"]
    expect([await executions(...twoParts), await executions(...partAndOffer), await executions(...prices)]).toEqual([1, 1, 1])
    await pool.query('create unique index on part (name)')
    expect(await executions(...twoParts)).toBe(2)
    await pool.query('alter table offer add foreign key (part_id) references part')
    expect(await executions(...partAndOffer)).toBe(2)
    await pool.query("create function usual() returns int language sql as 'select 1'; alter table part alter price set default usual()")
    expect(await executions(...prices)).toBe(2)
    await pool.query('drop table offer; drop table part; drop function usual')
  })

  test('a unique key that another transaction inserts is waited for', async () => {
    const insert = () => inTransaction((client) => client.query('insert into account values (7, 0)'))
    const { seen } = await all(() => Promise.all([insert(), insert()]))
    expect(seen).toEqual(['["23505","committed"]', '["committed","23505"]'])
  })

  test('a connection has its statements answered in the order in which they were asked', async () => {
    const { seen } = await all(async () => {
      const client = await pool.connect()
      const answers = await Promise.all([client.query("update account set balance = 1 where id = 1"), client.query('select balance from account where id = 1'), client.query("update account set balance = 2 where id = 1")])
      client.release()
      return answers[1].rows[0].balance
    })
    expect(seen).toEqual(['1'])
  })

  test('a pool that is used up is waited for, and nobody finds a deadlock by luck', async () => {
    const small = new server.pg.Pool({ ...server.config, max: 2 })
    const two = async () => {
      const first = await small.connect()
      await first.query('select 1')
      const second = await small.connect()
      second.release()
      first.release()
    }
    const { verdict, failures } = await explore(() => Promise.all([two(), two()]), { stopOnFirst: false })
    expect({ verdict, kinds: [...new Set(failures.map(({ kind }) => kind))] }).toEqual({ verdict: 'fails', kinds: ['deadlock'] })
    await small.end()
  })

  test('connections of a pool that has enough are as good as one another', async () => {
    const { verdict, executions } = await explore(async () => {
      const use = async () => {
        const client = await pool.connect()
        await client.query('begin')
        client.release()
      }
      await Promise.all([use(), use()])
    })
    expect({ verdict, executions }).toEqual({ verdict: 'holds', executions: 1 })
  })

  test('however often they are taken one after the other', async () => {
    const small = new server.pg.Pool({ ...server.config, max: 3 })
    const ask = async () => {
      for (let i = 0; i < 4; i++) await small.query('select balance from account where id = 1')
    }
    const { verdict, executions } = await explore(() => Promise.all([ask(), ask()]))
    expect({ verdict, executions }).toEqual({ verdict: 'holds', executions: 1 })
    await small.end()
  })

  test('a pool that is used up in other orders than the first', async () => {
    const small = new server.pg.Pool({ ...server.config, max: 3 })
    const two = async () => {
      const clients = [await small.connect(), await small.connect()]
      for (const client of clients) client.release()
    }
    const late = async () => {
      for (let i = 0; i < 12; i++) await pool.query('select 1')
      await two()
    }
    const { verdict, failures } = await explore(() => Promise.all([two(), late(), late()]))
    expect({ verdict, kind: failures[0]?.kind }).toEqual({ verdict: 'fails', kind: 'deadlock' })
    await small.end()
  })

  test('clients and pools of the body, and callbacks', async () => {
    const { seen, verdict } = await all(async () => {
      const own = new server.pg.Pool(server.config)
      const client = new server.pg.Client(server.config)
      await client.connect()
      const called = new Promise((resolve, reject) => {
        own.connect((error, connected, release) => {
          if (error) return reject(error as Error)
          connected.query('select $1::int as n', [5], (_: unknown, result: { rows: { n: number }[] }) => {
            release()
            resolve(result.rows[0]!.n)
          })
        })
      })
      const answers = await Promise.all([called, client.query('select 2 as n')])
      await client.end()
      await own.end()
      return [answers[0], answers[1].rows[0].n]
    })
    expect({ seen, verdict }).toEqual({ seen: ['[5,2]'], verdict: 'holds' })
  })

  describe('what goes wrong', () => {
    test('errors of the server are outcomes', async () => {
      expect(await all(() => pool.query('selec 1').catch(({ code }) => code))).toMatchObject({ seen: ['"42601"'], verdict: 'holds' })
    })

    test('no server: the error says so', async () => {
      const nowhere = new server.pg.Pool({ ...server.config, host: '/nowhere' })
      const { verdict } = await explore(async () => {
        await expect(nowhere.query('select 1')).rejects.toThrow('ENOENT')
      })
      expect(verdict).toBe('holds')
    })

    test.each([['', true], [', and nobody listens to its errors', false]])('a connection that is killed%s', async (_, listens) => {
      const { verdict } = await explore(async () => {
        const client = await pool.connect()
        if (listens) client.on('error', () => {})
        await client.query("set application_name = 'victim'")
        await pool.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'victim'")
        const error: unknown = await client.query('select 1').catch((thrown: unknown) => thrown)
        client.release(error)
        expect(String(error)).toMatch(/connection/i)
      })
      // In which words it is told is nobody's choice.
      expect(verdict).not.toBe('fails')
      expect((await pool.query('select 1 as n')).rows).toEqual([{ n: 1 }])
    })

    test('a client that a body listens to has no more listeners after executions than before', async () => {
      const client = new server.pg.Client(server.config) as Client & { listeners(event: string): readonly unknown[] }
      await client.connect()
      const { executions } = await explore(async () => {
        await client.query('select 1')
        client.on('error', () => {})
        await Promise.all([1, 2, 3].map(async () => (await null, await client.query('select 1'))))
      }, { stopOnFirst: false })
      expect(executions).toBeGreaterThan(1)
      expect(client.listeners('error').length).toBeLessThanOrEqual(2)
      await client.end()
    })

    test('transactions that nobody ends are rolled back, and what waits for them is given up', async () => {
      for (let i = 0; i < 3; i++) {
        await explore(async () => {
          await pool.query(reset)
          const hold = async () => {
            const client = await pool.connect()
            await client.query('begin')
            await client.query('update account set balance = 0 where id = 1')
          }
          await Promise.all([hold(), hold()])
        })
      }
      const { rows } = await pool.query("select count(*)::int as open from pg_stat_activity where state like 'idle in transaction%'")
      expect(rows).toEqual([{ open: 0 }])
      await pool.query(reset)
    })

    test('every connection of the server is lost in the middle: the next exploration is none the wiser', async () => {
      const own = new server.pg.Pool(server.config)
      own.on('error', () => {})
      const killer = new server.pg.Client(server.config)
      killer.on('error', () => {})
      await killer.connect()
      const pay = () => Promise.all([add(own, 1), add(own, 2)])
      const isThird = counting(3)
      const body = async (kills: boolean): Promise<void> => {
        await own.query(reset)
        if (kills && isThird()) await killer.query('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()')
        await pay()
      }
      const lost = await explore(() => body(true)).catch((error: unknown) => error as Error)
      expect(lost instanceof Error ? lost.message : (lost.failures[0]?.error as Error | undefined)?.message ?? lost.inconclusiveReason).toMatch(/connection|outside was not the same/i)
      expect(await explore(() => body(false), { stopOnFirst: false })).toMatchObject({ verdict: 'holds', failures: [] })
      await killer.end()
      await own.end()
    })

    test('the server is started anew in the middle: it is said so, and the next exploration is none the wiser', async () => {
      const own = new server.pg.Pool(server.config)
      own.on('error', () => {})
      const restart = onlyOnce(3, server.restart)
      const body = (inTheMiddle: () => void) => async (): Promise<void> => {
        await own.query(reset)
        inTheMiddle()
        await Promise.all([add(own, 1), add(own, 2)])
      }
      const lost = await explore(body(restart), { stopOnFirst: false })
      expect(lost).toMatchObject({ verdict: 'inconclusive', inconclusiveReason: expect.stringMatching(/connection to a server was lost/) })
      expect(await explore(body(() => {}), { stopOnFirst: false })).toMatchObject({ verdict: 'holds', failures: [] })
      await own.end()
    })

    test('explorations one after the other leave nothing open', async () => {
      const connections = async (): Promise<{ all: number; open: number }> => (await pool.query("select count(*)::int as all, count(*) filter (where state like 'idle in transaction%')::int as open from pg_stat_activity where backend_type = 'client backend'")).rows[0]
      const hold = () => inTransaction(async (client) => {
        await add(client, 1)
        throw Object.assign(new Error('never mind'), { code: 'given up' })
      })
      const run = () => explore(async () => {
        await pool.query(reset)
        const left = await pool.connect()
        await left.query('begin')
        await hold()
      })
      await run()
      const before = await connections()
      for (let i = 0; i < 20; i++) await run()
      const after = await connections()
      expect(after.open).toBe(0)
      expect(after.all).toBeLessThanOrEqual(before.all)
    })

    test('locks that a session still has are let go of after each execution', async () => {
      await pool.query(reset)
      const tryLock = async (): Promise<boolean> => {
        const client = await pool.connect()
        const { rows } = await client.query('select pg_try_advisory_lock(9) as has')
        client.release()
        return rows[0].has
      }
      const { seen, verdict } = await outcomes(() => Promise.all([tryLock(), tryLock()]))
      expect({ seen, verdict }).toEqual({ seen: ['[false,true]', '[true,false]'], verdict: 'holds' })
      const withdraw = async (): Promise<void> => {
        const client = await pool.connect()
        try {
          await client.query('select pg_advisory_lock(7)')
          const { rows } = await client.query('select balance from account where id = 1')
          if (rows[0].balance < 60) throw new Error('not enough')
          await client.query('update account set balance = balance - 60 where id = 1')
          await client.query('select pg_advisory_unlock(7)')
        } finally {
          client.release()
        }
      }
      const { verdict: fails, failures } = await explore(() => Promise.all([withdraw(), withdraw()]), { stopOnFirst: false })
      expect(fails).toBe('fails')
      expect(failures.map(({ error }) => (error as Error).message)).toEqual(failures.map(() => 'not enough'))
      const { rows } = await pool.query("select count(*)::int as held from pg_locks where locktype = 'advisory'")
      expect(rows).toEqual([{ held: 0 }])
    })

    test('a statement that takes too long is said to, and is ended', async () => {
      const started = performance.now()
      // Others are about to ask as well.
      const { verdict, inconclusiveReason } = await explore(() => Promise.all([pool.query('select pg_sleep(100)'), add(pool, 1)]), { maxTime: 300 })
      expect(performance.now() - started).toBeLessThan(5000)
      expect(verdict).toBe('inconclusive')
      expect(inconclusiveReason).toBe("maxTime of 300 ms, before the answer to 'select pg_sleep(100)' had come")
      const { rows } = await pool.query("select count(*)::int as open from pg_stat_activity where state = 'active' and query like '%pg_sleep%' and pid <> pg_backend_pid()")
      expect(rows).toEqual([{ open: 0 }])
    })

    test('when notifications come to a client that nobody has is not explored, and the verdict says so', async () => {
      const { verdict, inconclusiveReason } = await explore(async () => {
        await Promise.all([pool.query('listen news'), pool.query("notify news, 'a'")])
        await pool.query('unlisten *')
      })
      expect(verdict).toBe('inconclusive')
      expect(inconclusiveReason).toContain('(LISTEN)')
      expect(await explore(() => pool.query('select 1 as listen'))).toMatchObject({ verdict: 'holds' })
    })

    test('a cursor is refused', async () => {
      const cursor = { submit() {}, text: 'select 1' }
      await expect(explore(() => pool.query(cursor as unknown as string))).rejects.toThrow('it reads rows by a cursor or a stream')
    })
  })
})
