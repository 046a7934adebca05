import { Array } from '../../../engine/intrinsics.ts'
import { nativeNow, nativeSetTimeout } from '../../execution/native.ts'

/** Asks the server for rows. */
export type AskRows = (text: string) => Promise<readonly Readonly<Record<string, unknown>>[]>

/** Who waits at a server: its threads, by their numbers. */
export interface Waits {
  /** Whether a thread waits for what another one holds. */
  isWaiting(thread: number): Promise<boolean>
  /** Whether it will wait until others let go of something: of several that wait for each other the server gives one an error by itself. */
  staysWaiting(thread: number): Promise<boolean>
}

type Edge = readonly [waits: number, holds: number]

/** Kinds of locks that are not InnoDB's: the list of threads has them. */
const otherLock = /^(?:Waiting for .*lock|User lock)/i

async function waitsForOtherLock(rows: AskRows, thread: number): Promise<boolean> {
  return (await rows('show processlist')).some(({ Id: id, State: state }) => Number(id) === thread && otherLock.test(String(state)))
}

function isInCircle(edges: readonly Edge[], thread: number): boolean {
  const seen = new Set<number>()
  const reaches = (from: number): boolean =>
    edges.some(([waits, holds]) => {
      if (waits !== from || seen.has(holds)) return false
      if (holds === thread) return true
      seen.add(holds)
      return reaches(holds)
    })
  return reaches(thread)
}

const edgesOf = (rows: readonly Readonly<Record<string, unknown>>[]): readonly Edge[] => rows.map(({ waits, holds }) => [Number(waits), Number(holds)])

/** MySQL has a table of it. */
export function waitsOfMySql(rows: AskRows): Waits {
  const edges = async (): Promise<readonly Edge[]> =>
    edgesOf(await rows(`select r.processlist_id as waits, b.processlist_id as holds from performance_schema.data_lock_waits w
      join performance_schema.threads r on r.thread_id = w.requesting_thread_id join performance_schema.threads b on b.thread_id = w.blocking_thread_id`))
  return {
    isWaiting: async (thread) => (await edges()).some(([waits]) => waits === thread) || waitsForOtherLock(rows, thread),
    staysWaiting: async (thread) => !isInCircle(await edges(), thread),
  }
}

/** Milliseconds for which MariaDB answers from memory who waits for whom, counted from the last time that somebody asked. */
const memory = 110

/** In the text of `show engine innodb status`: above it stands the last deadlock, which is over. */
const listOfTransactions = '\nLIST OF TRANSACTIONS FOR EACH SESSION:'

const waiting = /^LOCK WAIT [^\n]*\n(?:MariaDB|MySQL) thread id (\d+),/gm

/** MariaDB says at once who waits, but only now and then for whom. */
export function waitsOfMariaDb(rows: AskRows): Waits {
  let asked = 0
  const threads = async (): Promise<readonly number[]> => {
    const [status] = await rows('show engine innodb status')
    const text = String(status?.['Status'])
    return Array.from(text.slice(text.indexOf(listOfTransactions)).matchAll(waiting), ([, thread]) => Number(thread))
  }
  const edges = async (): Promise<readonly Edge[]> => {
    const left = asked + memory - nativeNow()
    if (left > 0) await new Promise<void>((resolve) => void nativeSetTimeout(resolve, left))
    const found = edgesOf(await rows(`select r.trx_mysql_thread_id as waits, b.trx_mysql_thread_id as holds from information_schema.innodb_lock_waits w
      join information_schema.innodb_trx r on r.trx_id = w.requesting_trx_id join information_schema.innodb_trx b on b.trx_id = w.blocking_trx_id`))
    asked = nativeNow()
    return found
  }
  return {
    isWaiting: async (thread) => (await threads()).includes(thread) || waitsForOtherLock(rows, thread),
    async staysWaiting(thread) {
      const found = await edges()
      const all = await threads()
      // Where somebody else has asked as well, what the server remembers may be older.
      return all.includes(thread) && all.every((one) => found.some(([waits]) => waits === one)) && !isInCircle(found, thread)
    },
  }
}
