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
  elseif kind == 'zset' then value = table.concat(redis.call('zrange', key, 0, -1, 'withscores'), ',')
  elseif kind == 'stream' then value = {} for _, entry in ipairs(redis.call('xrange', key, '-', '+')) do value[#value + 1] = entry[1] end value = table.concat(value, ',')
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

/** Of more types, between keys, and with times that are over at once. */
const further: readonly Call[] = [
  ['ZADD', 'zset', 'number', 'x'], ['ZADD', 'zset', 'NX', 'number', 'y'], ['ZADD', 'zset', 'GT', 'number', 'x'], ['ZINCRBY', 'zset', '1', 'x'], ['ZREM', 'zset', 'x'], ['ZSCORE', 'zset', 'x'], ['ZRANGE', 'zset', '0', '-1', 'WITHSCORES'], ['ZCARD', 'zset'],
  ['ZPOPMIN', 'zset'], ['ZRANGESTORE', 'zset', 'zset', '0', '0'], ['ZUNIONSTORE', 'zset', '2', 'zset', 'zset'], ['ZUNIONSTORE', 'zset', '2', 'zset', 'set'], ['ZCOUNT', 'zset', '1', '2'],
  ['SADD', 'set', 'number'], ['SMOVE', 'set', 'set', 'number'], ['SINTER', 'set', 'set'], ['SUNIONSTORE', 'set', 'set', 'set'], ['SDIFFSTORE', 'set', 'set', 'set'], ['SISMEMBER', 'set', 'number'], ['SMISMEMBER', 'set', '0', '1'],
  ['RPUSH', 'list', 'number'], ['LPUSHX', 'list', 'number'], ['LMOVE', 'list', 'list', 'LEFT', 'RIGHT'], ['RPOPLPUSH', 'list', 'list'], ['LINDEX', 'list', '0'], ['LSET', 'list', '0', 'number'], ['LREM', 'list', '1', 'number'], ['LRANGE', 'list', '0', '-1'], ['LTRIM', 'list', '0', '0'],
  ['LINSERT', 'list', 'BEFORE', '1', 'number'], ['LPOP', 'list', '2'], ['LMPOP', '2', 'list', 'list', 'LEFT'], ['SORT', 'list'], ['SORT', 'set', 'STORE', 'list'],
  ['HSETNX', 'h', 'field', 'number'], ['HMGET', 'h', 'x', 'y'], ['HGETALL', 'h'], ['HEXISTS', 'h', 'field'], ['HINCRBYFLOAT', 'h', 'field', '0.5'],
  ['GETEX', 'key', 'EX', '100'], ['GETEX', 'key', 'PERSIST'], ['GETSET', 'key', 'number'], ['SETNX', 'key', 'number'], ['MSETNX', 'key', 'number', 'key', 'number'], ['SET', 'key', 'number', 'EX', '100'], ['SET', 'key', 'number', 'KEEPTTL'], ['SET', 'key', '$last', 'XX', 'GET'],
  ['TTL', 'key'], ['EXPIRE', 'key', '0'], ['EXPIRE', 'key', '-1'], ['EXPIRE', 'key', '50', 'NX'], ['EXPIRE', 'key', '150', 'GT'], ['PEXPIREAT', 'key', '1'], ['EXPIRETIME', 'missing'], ['SETRANGE', 'key', '1', '7'], ['GETRANGE', 'key', '0', '0'], ['SETBIT', 'key', '3', '1'], ['BITCOUNT', 'key'],
  ['BITOP', 'OR', 'key', 'key', 'key'], ['INCRBYFLOAT', 'key', '0.5'], ['DECRBY', 'key', '2'], ['UNLINK', 'key', 'key'], ['TOUCH', 'key', 'key'], ['RENAME', 'key', 'h'], ['COPY', 'h', 'key', 'REPLACE'], ['OBJECT', 'ENCODING', 'key'], ['KEYS', '*'], ['KEYS', 'a*'], ['PFADD', 'key', 'number'], ['PFCOUNT', 'key'],
  ['XADD', 'stream', '1-1', 'f', '1'], ['XADD', 'stream', '2-1', 'f', '1'], ['XLEN', 'stream'], ['XRANGE', 'stream', '-', '+'], ['XDEL', 'stream', '1-1'], ['XTRIM', 'stream', 'MAXLEN', '1'],
  ['EVAL', "return redis.call('get', KEYS[1]) or redis.call('get', KEYS[2])", '2', 'key', 'key'], ['EVAL_RO', "return redis.call('exists', KEYS[1])", '1', 'key'], ['EVAL', "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0", '1', 'key', 'number'],
]

/** Which keys somebody may mean. */
const keysOf: Readonly<Record<string, readonly string[]>> = { key: ['a', 'a', 'b'], set: ['s', 's', 'r'], list: ['l', 'l', 'm'], zset: ['z', 'z', 'y'], stream: ['e'], field: ['x', 'y'] }

/** Of more types. */
export const generateFurther = (seed: number): Program => generate(seed, [...templates, ...further, ...further])

export function generate(seed: number, of: readonly Call[] = templates): Program {
  const random = new Random(seed)
  const tasks = random.below(4) === 0 ? 3 : 2
  const most = tasks === 3 ? 2 : 4
  return {
    tasks: Array.from({ length: tasks }, () => Array.from({ length: 1 + random.below(most) }, () => randomStep(random, of))),
    shares: random.below(3) === 0,
  }
}

function randomStep(random: Random, of: readonly Call[]): Step {
  const isTransaction = random.below(5) === 0
  const length = isTransaction ? 1 + random.below(2) : 1
  return { isTransaction, calls: Array.from({ length }, () => randomCall(random, of, isTransaction)) }
}

function randomCall(random: Random, of: readonly Call[], isInTransaction: boolean): Call {
  for (;;) {
    const call = random.one(of)
    // Nobody watches there, and answers are compared as they come.
    if (isInTransaction && (call[0]!.endsWith('WATCH') || call[0] === 'KEYS')) continue
    return call.map((arg) => (arg === 'number' ? String(random.below(3)) : keysOf[arg] ? random.one(keysOf[arg]) : arg))
  }
}

export const print = ({ tasks, shares }: Program): string =>
  tasks.map((steps, i) => `${shares && i < 2 ? 'shared' : 'own'}: ${steps.map(({ calls, isTransaction }) => (isTransaction ? `MULTI { ${calls.map((call) => call.join(' ')).join('; ')} }` : calls[0]!.join(' '))).join('; ')}`).join('\n')
