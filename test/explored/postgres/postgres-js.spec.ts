import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { explore } from 'vitest-dpor'
import { onlyOnce, outcomes } from '../uninstrumented/outcomes.ts'
import { missing, startServer, type Server } from '../uninstrumented/postgres-server.ts'

let server: Server
let sql: postgres.Sql

type Queryable = postgres.Sql | postgres.TransactionSql | postgres.ReservedSql

const reset = 'delete from account; insert into account values (1, 100), (2, 100)'

async function add(own: Queryable, amount: number, { locks = false } = {}): Promise<void> {
  const [row] = await own<{ balance: number }[]>`select balance from account where id = ${1} ${locks ? own`for update` : own``}`
  await own`update account set ${own({ balance: row!.balance + amount })} where id = 1`
}

const balances = async (): Promise<number[]> => (await sql<{ balance: number }[]>`select balance from account order by id`).map(({ balance }) => balance)

/** How a transaction ends. */
const inTransaction = (work: (own: postgres.TransactionSql) => Promise<unknown>, options = ''): Promise<string> =>
  sql.begin(options, work).then(() => 'committed', (error: { code: string }) => error.code)

describe.skipIf(missing !== undefined)(`postgres.js${missing === undefined ? '' : ` (${missing})`}`, () => {
  beforeAll(async () => {
    server = startServer()
    sql = postgres({ ...server.config, onnotice: () => {} })
    await sql`create table account (id int primary key, balance int)`
  })
  afterAll(async () => {
    await sql?.end()
    server?.stop()
  })

  /** What the body returns, in all orders. */
  const all = async (body: () => Promise<unknown>, interleave: 'await' | 'event-loop' = 'await') => {
    const { seen, verdict } = await outcomes(async () => {
      await sql.unsafe(reset)
      return body()
    }, { interleave })
    expect(verdict).toBe('holds')
    return seen
  }

  describe.each(['await', 'event-loop'] as const)("interleave: '%s'", (interleave) => {
    test('autocommit: an update is lost in some orders', async () => {
      const seen = await all(async () => {
        await Promise.all([add(sql, 1), add(sql, 2)])
        return (await balances())[0]
      }, interleave)
      expect(seen).toEqual(['101', '102', '103'])
    })

    test.each([
      ['READ COMMITTED', '', false, ['[101,"committed","committed"]', '[102,"committed","committed"]', '[103,"committed","committed"]']],
      ['with FOR UPDATE', '', true, ['[103,"committed","committed"]']],
      ['REPEATABLE READ', 'isolation level repeatable read', false, ['[101,"committed","40001"]', '[102,"40001","committed"]', '[103,"committed","committed"]']],
    ] as const)('two transactions that read and write a row: %s', async (_, options, locks, expected) => {
      const seen = await all(async () => {
        const ends = await Promise.all([1, 2].map((amount) => inTransaction((own) => add(own, amount, { locks }), options)))
        return [(await balances())[0], ...ends]
      }, interleave)
      expect(seen).toEqual(expected)
    })

    test('locks that are taken in two orders: a deadlock ends one transaction, whichever', async () => {
      const move = (from: number, to: number) =>
        inTransaction(async (own) => {
          await own`update account set balance = balance - 1 where id = ${from}`
          await own`update account set balance = balance + 1 where id = ${to}`
        })
      const seen = await all(async () => [...(await Promise.all([move(1, 2), move(2, 1)])), await balances()], interleave)
      expect(seen).toEqual(['["40P01","committed",[101,99]]', '["committed","40P01",[99,101]]', '["committed","committed",[100,100]]'])
    })
  })

  test.each([
    ['REPEATABLE READ', 'repeatable read', ['[["committed","committed"],[0,0]]', '[["committed","committed"],[0,100]]', '[["committed","committed"],[100,0]]']],
    ['SERIALIZABLE', 'serializable', ['[["40001","committed"],[100,0]]', '[["committed","40001"],[0,100]]', '[["committed","committed"],[0,100]]', '[["committed","committed"],[100,0]]']],
  ])('write skew: %s', async (_, level, expected) => {
    const withdraw = (id: number) =>
      inTransaction(async (own) => {
        const [row] = await own<{ sum: number }[]>`select sum(balance)::int as sum from account`
        if (row!.sum >= 200) await own`update account set balance = 0 where id = ${id}`
      }, `isolation level ${level}`)
    const seen = await all(async () => [await Promise.all([withdraw(1), withdraw(2)]), await balances()])
    expect(seen).toEqual(expected)
  })

  test('what a savepoint takes back others never see', async () => {
    const seen = await all(async () => {
      const one = inTransaction(async (own) => {
        await own`update account set balance = 1 where id = 1`
        await own.savepoint(async (inner) => {
          await inner`update account set balance = 2 where id = 1`
          throw new Error('no')
        }).catch(() => {})
      })
      const [row] = await sql`select balance from account where id = 1`
      await one
      return [row!['balance'], (await balances())[0]]
    })
    expect(seen).toEqual(['[1,1]', '[100,1]'])
  })

  test('a connection that is reserved', async () => {
    const seen = await all(async () => {
      const run = async (amount: number) => {
        const own = await sql.reserve()
        await own`begin`
        await add(own, amount, { locks: true })
        await own`commit`
        own.release()
      }
      await Promise.all([run(1), run(2)])
      return (await balances())[0]
    })
    expect(seen).toEqual(['103'])
  })

  test('statements that a transaction does not wait for are sent in their order', async () => {
    const seen = await all(() => sql.begin((own) => [own`update account set balance = 7 where id = 1`, own`select balance from account where id = 1`, own`update account set balance = 8 where id = 1`])
      .then(([, rows]) => rows))
    expect(seen).toEqual(['[{"balance":7}]'])
  })

  test('a pool that is used up is waited for, and nobody finds a deadlock by luck', async () => {
    const small = postgres({ ...server.config, max: 2 })
    const two = () => small.begin((own) => own`select 1`.then(() => small`select 2`))
    const { verdict, failures } = await explore(() => Promise.all([two(), two()]), { stopOnFirst: false })
    expect({ verdict, kinds: [...new Set(failures.map(({ kind }) => kind))] }).toEqual({ verdict: 'fails', kinds: ['deadlock'] })
    await small.end()
  })

  test('a pool of the body', async () => {
    const seen = await all(async () => {
      const own = postgres({ ...server.config, max: 1 })
      const answers = await Promise.all([own`select ${5}::int as n`, own.unsafe('select $1::int as n', [6])])
      await own.end()
      return answers.map(([row]) => row!['n'] as number)
    })
    expect(seen).toEqual(['[5,6]'])
  })

  test('what is left open is rolled back, and nothing stays behind', async () => {
    const hold = () => sql.begin(async (own) => {
      await own`update account set balance = 0 where id = 1`
      await new Promise(() => {})
    })
    for (let i = 0; i < 3; i++) {
      await explore(async () => {
        await sql.unsafe(reset)
        await Promise.all([hold(), hold()])
      })
    }
    const [row] = await sql`select count(*)::int as open from pg_stat_activity where state like 'idle in transaction%'`
    expect(row).toEqual({ open: 0 })
    await sql.unsafe(reset)
  })

  test('a connection that is lost with a statement to answer: whoever asks next is not told of that', async () => {
    const small = postgres({ ...server.config, max: 1 })
    for (let i = 0; i < 3; i++) {
      const { verdict, inconclusiveReason } = await explore(() => small`select pg_terminate_backend(pg_backend_pid())`)
      expect([verdict, inconclusiveReason]).toEqual(['inconclusive', expect.stringMatching(/a connection to a server was lost meanwhile .*CONNECTION_CLOSED/)])
      expect(await small`select 1 as n`).toEqual([{ n: 1 }])
      expect(await explore(async () => expect(await small`select 1 as n`).toEqual([{ n: 1 }]))).toMatchObject({ verdict: 'holds' })
    }
    const end = await Promise.race([small.end().then(() => 'ended'), new Promise((resolve) => setTimeout(resolve, 5000))])
    expect(end).toBe('ended')
  })

  test('the server is started anew in the middle: it is said so, and the next exploration is none the wiser', async () => {
    const own = postgres({ ...server.config, max: 4, onnotice: () => {} })
    const pay = () => Promise.all([1, 2].map((amount) => own.begin((transaction) => add(transaction, amount, { locks: true }))))
    const restart = onlyOnce(3, server.restart)
    const body = (inTheMiddle: () => void) => async (): Promise<void> => {
      await own.unsafe(reset)
      inTheMiddle()
      await pay()
    }
    const lost = await explore(body(restart), { stopOnFirst: false })
    expect([lost.verdict, lost.inconclusiveReason ?? String(lost.failures[0]?.error)]).toEqual(['inconclusive', expect.stringMatching(/connection to a server was lost|CONNECTION_CLOSED/)])
    expect(await explore(body(() => {}), { stopOnFirst: false })).toMatchObject({ verdict: 'holds', failures: [] })
    await own.end()
  })

  test.each([
    ['a cursor', () => sql`select 1`.cursor(() => {}), 'it reads rows by a cursor or a stream'],
    ['forEach', () => sql`select 1`.forEach(() => {}), 'it reads rows by a cursor or a stream'],
    ['cancel', () => { sql`select 1`.cancel() }, 'it cancels a statement'],
  ])('refused: %s', async (_, body, what) => {
    await expect(explore(async () => void (await body()))).rejects.toThrow(what)
  })
})
