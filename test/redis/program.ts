import { Random } from '../reference/random.ts'

/** A command; `$last` among its arguments is what the client has read last. */
export type Call = readonly string[]

/** What is asked at once: one command, or those between MULTI and EXEC. */
export type Step = { readonly calls: readonly Call[]; readonly isTransaction: boolean }

/** What two or three tasks ask, one step after the other; `shares`: the first two have one connection. */
export interface Program {
  readonly tasks: readonly (readonly Step[])[]
  readonly shares: boolean
}

export const start: readonly Call[] = [['FLUSHDB'], ['SET', 'a', '5'], ['HSET', 'h', 'x', '1'], ['RPUSH', 'l', '1', '2'], ['SADD', 's', '1']]

/** All that there is, as text. */
export const contents = `local all = {}
for _, key in ipairs(redis.call('keys', '*')) do
  local kind = redis.call('type', key).ok
  local value
  if kind == 'string' then value = redis.call('get', key)
  elseif kind == 'list' then value = table.concat(redis.call('lrange', key, 0, -1), ',')
  elseif kind == 'set' then value = redis.call('smembers', key) table.sort(value) value = table.concat(value, ',')
  else value = redis.call('hgetall', key) table.sort(value) value = table.concat(value, ',') end
  all[#all + 1] = key .. (redis.call('ttl', key) > 0 and '!' or '') .. '=' .. value
end
table.sort(all)
return table.concat(all, ' ')`

const bump = "local n = tonumber(redis.call('get', KEYS[1]) or 0) + 1; redis.call('set', KEYS[1], n); return n"
const unknown = "return redis.call('incrby', ARGV[1], 10)"

const templates: readonly Call[] = [
  ['GET', 'key'], ['GET', 'key'], ['GET', 'key'], ['SET', 'key', '$last'], ['SET', 'key', '$last'], ['SET', 'key', 'number'], ['INCR', 'key'], ['APPEND', 'key', 'number'],
  ['SET', 'key', 'number', 'NX'], ['SET', 'key', 'number', 'XX'], ['SET', 'key', 'number', 'NX', 'GET'], ['DEL', 'key'], ['GETDEL', 'key'], ['MGET', 'key', 'key'], ['MSET', 'key', 'number', 'key', '$last'], ['EXISTS', 'key', 'key'], ['STRLEN', 'key'],
  ['RENAME', 'key', 'key'], ['RENAMENX', 'key', 'key'], ['COPY', 'key', 'key'], ['EXPIRE', 'key', '100'], ['PERSIST', 'key'], ['TYPE', 'key'],
  ['HSET', 'h', 'field', 'number'], ['HGET', 'h', 'field'], ['HINCRBY', 'h', 'field', '1'], ['HDEL', 'h', 'field'], ['HLEN', 'h'],
  ['RPUSH', 'l', 'number'], ['LPOP', 'l'], ['LLEN', 'l'], ['LMOVE', 'l', 'l', 'LEFT', 'RIGHT'],
  ['SADD', 's', 'number'], ['SREM', 's', 'number'], ['SCARD', 's'],
  ['DBSIZE'], ['DBSIZE'], ['FLUSHDB'],
  ['EVAL', bump, '1', 'key'], ['EVAL', unknown, '0', 'key'],
  ['WATCH', 'key'], ['WATCH', 'key'], ['UNWATCH'],
]

export function generate(seed: number): Program {
  const random = new Random(seed)
  const tasks = random.below(4) === 0 ? 3 : 2
  const most = tasks === 3 ? 2 : 4
  return {
    tasks: Array.from({ length: tasks }, () => Array.from({ length: 1 + random.below(most) }, () => randomStep(random))),
    shares: random.below(3) === 0,
  }
}

function randomStep(random: Random): Step {
  const isTransaction = random.below(5) === 0
  const length = isTransaction ? 1 + random.below(2) : 1
  return { isTransaction, calls: Array.from({ length }, () => randomCall(random, isTransaction)) }
}

function randomCall(random: Random, isInTransaction: boolean): Call {
  for (;;) {
    const call = random.one(templates)
    // Nobody watches there.
    if (isInTransaction && call[0]!.endsWith('WATCH')) continue
    return call.map((arg) => (arg === 'key' ? random.one(['a', 'a', 'b']) : arg === 'number' ? String(random.below(3)) : arg === 'field' ? random.one(['x', 'y']) : arg))
  }
}

export const print = ({ tasks, shares }: Program): string =>
  tasks.map((steps, i) => `${shares && i < 2 ? 'shared' : 'own'}: ${steps.map(({ calls, isTransaction }) => (isTransaction ? `MULTI { ${calls.map((call) => call.join(' ')).join('; ')} }` : calls[0]!.join(' '))).join('; ')}`).join('\n')
