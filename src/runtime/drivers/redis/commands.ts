import { Array } from '../../../engine/intrinsics.ts'
import { isKnownScript, rememberScript } from './scripts.ts'

/** A command as it is sent: its name in small letters, and its arguments as text. */
export interface Command {
  readonly name: string
  readonly args: readonly string[]
}

/** What a command does to one key. */
export interface KeyAccess {
  readonly key: string
  readonly kind: 'read' | 'write'
}

/** What a command accesses. `database`: all keys that there are, also by which of them there are. */
export interface CommandAccess {
  readonly keys: readonly KeyAccess[]
  readonly database?: 'read' | 'write'
  /** Who listens to them, and what they are told. */
  readonly channels?: readonly KeyAccess[]
}

/** Finds the keys among arguments. */
type Find = (args: readonly string[]) => readonly KeyAccess[] | undefined

const accessTo = (kind: KeyAccess['kind']) => (key: string): KeyAccess => ({ key, kind })
const reads = (keys: readonly string[]): readonly KeyAccess[] => keys.map(accessTo('read'))
const writes = (keys: readonly string[]): readonly KeyAccess[] => keys.map(accessTo('write'))

/** As many keys as the number says that stands before them. */
const counted = (args: readonly string[], at: number): readonly string[] => args.slice(at + 1, at + 1 + (Number(args[at]) || 0))

const hasOption = (args: readonly string[], ...names: readonly string[]): boolean => args.some((arg) => names.includes(arg.toLowerCase()))

/** `XREAD COUNT 2 STREAMS a b 0 0` */
function streams(args: readonly string[]): readonly string[] {
  const rest = args.slice(args.findIndex((arg) => arg.toLowerCase() === 'streams') + 1)
  return rest.slice(0, rest.length / 2)
}

/** Where a command stores what others only answer. */
function stored(args: readonly string[], ...options: readonly string[]): readonly string[] {
  return args.filter((_, i) => i > 0 && options.includes(args[i - 1]!.toLowerCase()))
}

const words = (text: string): readonly string[] => text.split(/\s+/)

const families: readonly (readonly [names: string, find: Find])[] = [
  [`get strlen getrange substr getbit bitcount bitpos bitfield_ro lcs type ttl pttl expiretime pexpiretime dump
    hget hmget hgetall hexists hlen hkeys hvals hstrlen hscan hrandfield httl hpttl hexpiretime hpexpiretime
    lrange llen lindex lpos smembers sismember smismember scard sscan srandmember
    zscore zmscore zcard zcount zlexcount zrange zrangebyscore zrangebylex zrevrange zrevrangebyscore zrevrangebylex zrank zrevrank zscan zrandmember
    xlen xrange xrevrange xpending geopos geodist geohash geosearch georadius_ro georadiusbymember_ro`, (args) => reads(args.slice(0, 1))],
  ['exists mget sinter sunion sdiff touch', (args) => reads(args)],
  ['object xinfo memory', (args) => reads(args.slice(1, 2))],
  ['zunion zinter zdiff sintercard zintercard', (args) => reads(counted(args, 0))],
  ['xread', (args) => reads(streams(args))],
  [`set setnx setex psetex getset getdel getex append setrange setbit bitfield incr incrby incrbyfloat decr decrby
    expire pexpire expireat pexpireat persist hset hsetnx hmset hincrby hincrbyfloat hdel hexpire hpexpire hexpireat hpexpireat hpersist hgetdel hgetex hsetex
    lpush rpush lpushx rpushx lpop rpop lset linsert lrem ltrim sadd srem spop
    zadd zincrby zrem zremrangebyrank zremrangebyscore zremrangebylex zpopmin zpopmax
    xadd xdel xtrim xack xclaim xautoclaim xsetid geoadd pfadd restore`, (args) => writes(args.slice(0, 1))],
  // What it counts, it keeps with the key.
  ['del unlink pfcount', (args) => writes(args)],
  ['rename renamenx smove rpoplpush lmove brpoplpush blmove', (args) => writes(args.slice(0, 2))],
  ['copy', (args) => (hasOption(args, 'db') ? undefined : [...reads(args.slice(0, 1)), ...writes(args.slice(1, 2))])],
  ['blpop brpop bzpopmin bzpopmax', (args) => writes(args.slice(0, -1))],
  ['mset msetnx', (args) => writes(args.filter((_, i) => i % 2 === 0))],
  ['pfmerge sinterstore sunionstore sdiffstore', ([to, ...from]) => [...writes([to!]), ...reads(from)]],
  ['zunionstore zinterstore zdiffstore', (args) => [...writes(args.slice(0, 1)), ...reads(counted(args, 1))]],
  ['zrangestore geosearchstore', (args) => [...writes(args.slice(0, 1)), ...reads(args.slice(1, 2))]],
  ['bitop', (args) => [...writes(args.slice(1, 2)), ...reads(args.slice(2))]],
  ['blmpop bzmpop', (args) => writes(counted(args, 1))],
  ['lmpop zmpop', (args) => writes(counted(args, 0))],
  ['xgroup', (args) => writes(args.slice(1, 2))],
  ['xreadgroup', (args) => writes(streams(args))],
  ['georadius georadiusbymember', (args) => [...reads(args.slice(0, 1)), ...writes(stored(args, 'store', 'storedist'))]],
  ['sort', (args) => (hasOption(args, 'by', 'get') ? undefined : [...reads(args.slice(0, 1)), ...writes(stored(args, 'store'))])],
  ['sort_ro', (args) => (hasOption(args, 'by', 'get') ? undefined : reads(args.slice(0, 1)))],
  // Of the connection, of the server, of scripts and channels: no key has to do with them.
  [`ping echo quit auth hello select client asking readonly readwrite reset time wait waitaof lolwut command config latency slowlog role
    script multi exec discard watch unwatch
    connect close disconnect`, () => []],
]

const finders: ReadonlyMap<string, Find> = new Map(families.flatMap(([names, find]) => words(names).map((name) => [name, find] as const)))

/** All channels: by a pattern, or whichever somebody listens to. */
const anyChannel = '*'

/** What a command does to channels. */
function channelsOf({ name, args }: Command): readonly KeyAccess[] | undefined {
  switch (name) {
    case 'publish':
    case 'spublish':
      return [...reads([anyChannel]), ...writes(args.slice(0, 1))]
    case 'subscribe':
    case 'ssubscribe':
    case 'unsubscribe':
    case 'sunsubscribe':
      return args.length > 0 ? [...reads([anyChannel]), ...writes(args)] : writes([anyChannel])
    case 'psubscribe':
    case 'punsubscribe':
    case 'monitor':
    case 'pubsub':
      return writes([anyChannel])
    default:
      return undefined
  }
}

/** They look at which keys there are. */
const looksAtDatabase: ReadonlySet<string> = new Set(['keys', 'scan', 'dbsize', 'randomkey', 'info'])

const scripts: ReadonlySet<string> = new Set(['eval', 'evalsha', 'eval_ro', 'evalsha_ro', 'fcall', 'fcall_ro'])

/** What a command accesses, as far as its name and its arguments tell; of a script that keeps to them, the keys that it is given. What is not known changes everything. */
export function accessOf({ name, args }: Command): CommandAccess {
  if (looksAtDatabase.has(name)) return { keys: [], database: 'read' }
  if ((name === 'config' || name === 'script') && hasOption(args.slice(0, 1), 'set', 'flush', 'kill')) return { keys: [], database: 'write' }
  if (name === 'eval' || name === 'eval_ro' || name === 'script') rememberScript(args[name === 'script' ? 1 : 0] ?? '')
  if (scripts.has(name)) {
    const kind = name.endsWith('_ro') ? 'read' : 'write'
    return name.startsWith('eval') && isKnownScript(args[0] ?? '', accessOf) ? { keys: oncePerKey(counted(args, 1).map(accessTo(kind))) } : { keys: [], database: kind }
  }
  const channels = channelsOf({ name, args })
  if (channels) return { keys: [], channels }
  const found = finders.get(name)?.(args)
  // Too few arguments, which the server says.
  if (found === undefined || found.some(({ key }) => (key as string | undefined) === undefined)) return { keys: [], database: 'write' }
  return { keys: oncePerKey(found) }
}

function oncePerKey(accesses: readonly KeyAccess[]): readonly KeyAccess[] {
  if (accesses.length < 2) return accesses
  const byKey = new Map<string, KeyAccess>()
  for (const access of accesses) if (byKey.get(access.key)?.kind !== 'write') byKey.set(access.key, access)
  return [...byKey.values()]
}

/** They answer how much they have changed, */
const answerHowMuch: ReadonlySet<string> = new Set(words('publish spublish setnx del unlink expire pexpire expireat pexpireat persist hsetnx hdel lpushx rpushx lrem sadd srem smove renamenx msetnx zrem zremrangebyrank zremrangebyscore zremrangebylex xdel xack copy'))
/** or what they have taken. */
const answerWhat: ReadonlySet<string> = new Set(words('getdel lpop rpop spop zpopmin zpopmax rpoplpush lmove lmpop zmpop blpop brpop bzpopmin bzpopmax brpoplpush blmove blmpop bzmpop'))

/** Whether the answer of a command says that all is as it was. */
export function hasChangedNothing({ name, args }: Command, answer: unknown): boolean {
  const isNothing = answer === null || answer === undefined
  if (name === 'set') return isNothing && hasOption(args.slice(2), 'nx', 'xx') && !hasOption(args.slice(2), 'get')
  if (answerHowMuch.has(name)) return answer === 0 || answer === false
  return answerWhat.has(name) && (isNothing || (Array.isArray(answer) && answer.length === 0))
}

/** Where a command says how long it waits at most, and in which unit. */
const timeouts: Readonly<Record<string, { readonly at: 'first' | 'last'; readonly milliseconds: number }>> = {
  blpop: { at: 'last', milliseconds: 1000 },
  brpop: { at: 'last', milliseconds: 1000 },
  blmove: { at: 'last', milliseconds: 1000 },
  brpoplpush: { at: 'last', milliseconds: 1000 },
  bzpopmin: { at: 'last', milliseconds: 1000 },
  bzpopmax: { at: 'last', milliseconds: 1000 },
  blmpop: { at: 'first', milliseconds: 1000 },
  bzmpop: { at: 'first', milliseconds: 1000 },
}

/** Which argument of a command says how long the server keeps it waiting, and the milliseconds: 0 for ever. Undefined of a command that does not wait. */
export function timeoutOf({ name, args }: Command): { readonly at: number; readonly milliseconds: number } | undefined {
  const known = timeouts[name]
  const option = name === 'xread' || name === 'xreadgroup' ? args.findIndex((arg) => arg.toLowerCase() === 'block') : -1
  if (!known && option < 0) return undefined
  const at = option >= 0 ? option + 1 : known!.at === 'first' ? 0 : args.length - 1
  const milliseconds = Number(args[at]) * (known?.milliseconds ?? 1)
  return { at, milliseconds: milliseconds > 0 ? milliseconds : 0 }
}

const givingTime: ReadonlySet<string> = new Set(words('setex psetex expire pexpire expireat pexpireat getex restore eval evalsha fcall'))

/** Whether a command may give the keys that it changes a time to live. */
export const mayExpire = ({ name, args }: Command): boolean => givingTime.has(name) || (name === 'set' && hasOption(args.slice(2), 'ex', 'px', 'exat', 'pxat'))

/** What a command gives a key, as far as it tells that itself. */
export function valueGiven({ name, args }: Command, key: string): unknown {
  switch (name) {
    case 'set':
    case 'setnx':
    case 'getset':
      return args[1]
    case 'setex':
    case 'psetex':
      return args[2]
    case 'mset':
    case 'msetnx':
      return args[args.findIndex((arg, i) => i % 2 === 0 && arg === key) + 1]
    case 'del':
    case 'unlink':
    case 'getdel':
      return null
    default:
      return undefined
  }
}
