import { describe, expect, test } from 'vitest'
import { accessOf, hasChangedNothing, timeoutOf, type Command } from '../../src/runtime/drivers/redis/commands.ts'

const commandOf = (text: string): Command => {
  const [name, ...args] = text.split(' ')
  return { name: name!.toLowerCase(), args }
}

describe('what commands access', () => {
  test.each([
    ['GET a', 'read a'],
    ['SET a 1 EX 5', 'write a'],
    ['MGET a b a', 'read a, read b'],
    ['DEL a b', 'write a, write b'],
    ['MSET a 1 b 2', 'write a, write b'],
    ['BLPOP a b 0', 'write a, write b'],
    ['RPOPLPUSH a b', 'write a, write b'],
    ['COPY a b', 'read a, write b'],
    ['COPY a b DB 2', 'all: write'],
    ['SINTERSTORE to a b', 'write to, read a, read b'],
    ['ZUNIONSTORE to 2 a b WEIGHTS 1 2', 'write to, read a, read b'],
    ['ZUNIONSTORE a 2 a b', 'write a, read b'],
    ['BITOP AND to a b', 'write to, read a, read b'],
    ['XREAD COUNT 1 BLOCK 5 STREAMS a b 0 0', 'read a, read b'],
    ['XREADGROUP GROUP g me STREAMS a >', 'write a'],
    ['XGROUP CREATE a g $', 'write a'],
    ['OBJECT ENCODING a', 'read a'],
    ['SORT a', 'read a'],
    ['SORT a STORE b', 'read a, write b'],
    ['SORT a BY w_*', 'all: write'],
    ['GEORADIUS a 0 0 1 km STORE b', 'read a, write b'],
    ['EVAL return(redis.call("get",KEYS[1])) 1 a', 'write a'],
    ['EVALSHA a42059b356c875f0717db19a51f6aaca9ae659ea 1 a', 'all: write'],
    ['EVAL_RO return(1) 0', ''],
    ['FCALL f 1 a', 'all: write'],
    ['KEYS *', 'all: read'],
    ['FLUSHDB', 'all: write'],
    ['JSON.SET a $ 1', 'all: write'],
    ['RENAME a', 'write a'],
    ['COPY a', 'read a'],
    ['PING', ''],
    ['CONFIG SET maxmemory 1', 'all: write'],
  ])('%s', (text, accesses) => {
    const { keys, database } = accessOf(commandOf(text))
    expect([...(database ? [`all: ${database}`] : []), ...keys.map(({ kind, key }) => `${kind} ${key}`)].join(', ')).toBe(accesses)
  })

  test.each<[command: string, answer: unknown, changedNothing: boolean]>([
    ['SET a 1 NX', null, true],
    ['SET a 1 NX', 'OK', false],
    ['SET a 1 NX GET', null, false],
    ['SET a 1', 'OK', false],
    ['DEL a', 0, true],
    ['LPOP a', '0', false],
    ['LPOP a', null, true],
    ['GETDEL a', '', false],
    ['INCR a', 0, false],
    ['ZADD a 1 m', 0, false],
  ])('%s answered by %j', (text, answer, changedNothing) => {
    expect(hasChangedNothing(commandOf(text), answer)).toBe(changedNothing)
  })

  test.each([
    ['BLPOP a b 1.5', { at: 2, milliseconds: 1500 }],
    ['BLMPOP 2 1 a LEFT', { at: 0, milliseconds: 2000 }],
    ['XREAD BLOCK 50 STREAMS a 0', { at: 1, milliseconds: 50 }],
    ['BRPOPLPUSH a b 0', { at: 2, milliseconds: 0 }],
    ['XREAD STREAMS a 0', undefined],
    ['GET a', undefined],
  ])('how long %s waits', (text, timeout) => {
    expect(timeoutOf(commandOf(text))).toEqual(timeout)
  })
})
