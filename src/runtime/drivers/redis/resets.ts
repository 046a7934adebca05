import type { SiteId } from '../../../engine/ids.ts'
import type { Execution } from '../../execution/execution.ts'
import { isPutBack, KeptByExploration } from '../resets.ts'
import { serversOf } from '../servers.ts'
import type { Kept, RedisClient } from './client.ts'

const kept = new KeptByExploration<string, Kept>()

/** What puts back what is changed in a database; undefined where keys stay as they are. The exploration is refused where they must not be touched. */
export function keptKeysOf(execution: Execution, { client, database }: { readonly client: RedisClient; readonly database: number }, site: SiteId): Kept | undefined {
  const name = `${client.server}/${database}`
  const changed = {
    reset: serversOf(execution).options.redis?.reset,
    name,
    looksLikeTest: looksLikeTest(client.server, database),
    refusal: [
      `it changes keys of the Redis database ${name}, which the option io.redis.reset says to put back, and nothing says that it is for tests: it is database 0 of another machine`,
      `Use another database of it, or name this one: dpor({ io: { redis: { reset: '${name}' } } })`,
    ],
  } as const
  return isPutBack(execution, changed, site) ? kept.of(execution, name, () => client.keep(database)) : undefined
}

/** Whether a database may be taken for one for tests: it is in this process, on this machine, or not the first one of its server, where what is not for tests lies. */
export const looksLikeTest = (server: string, database: number): boolean => database !== 0 || server.endsWith(' of ioredis-mock') || /^(?:\/|(?:localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])(?::\d+)?$)/.test(server)
