import { expect, test } from 'vitest'
import { accessOf } from '../../src/runtime/drivers/redis/commands.ts'
import { keepsToItsKeys } from '../../src/runtime/drivers/redis/scripts.ts'

const keeping = [
  "return redis.call('incr', KEYS[1])",
  "local n = tonumber(redis.call('get', KEYS[1]) or 0) + ARGV[1]; redis.call('set', KEYS[1], n); return n",
  "local key = KEYS[1]\nlocal v = redis.call(\"GET\", key) -- redis.call(x)\nif v == ARGV[1] then return redis.call('del', key) end return 0",
  "redis.call('set', KEYS[1], 0, 'EX', ARGV[2], 'NX') local consumed = redis.call('incrby', KEYS[1], ARGV[1]) local ttl = redis.call('pttl', KEYS[1]) return {consumed, ttl}",
  "local count = 0\nfor i, key in ipairs(KEYS) do\n if redis.call(\"get\", key) == ARGV[1] then redis.pcall(\"del\", key) count = count + 1 end end return count",
  "for i, key in ipairs(KEYS) do redis.call('pexpire', key, ARGV[2]) end return #KEYS",
  "if redis.call('exists', unpack(KEYS)) == 1 then return 0 end return redis.call('hset', KEYS[1], unpack(ARGV))",
  "local a, b = KEYS[1], KEYS[2] return redis.call('rpoplpush', a, b)",
  "return redis.call('time')",
  "redis.call('mset', KEYS[1], ARGV[1], KEYS[2], ARGV[2]) redis.log(redis.LOG_WARNING, 'x') return redis.error_reply('no')",
  "local v = redis.call('get', KEYS[1], (1 + 2))",
]
const others = [
  "return redis.call('incr', ARGV[1])", "return redis.call('incr', KEYS[1] .. ':x')", "local call = redis.call return call('incr', 'x')", "return redis.call(ARGV[1], KEYS[1])",
  "local key = KEYS[1] key = 'x' return redis.call('get', key)", "local key = KEYS[1] .. ':x' return redis.call('get', key)", "KEYS[1] = 'x' return redis.call('get', KEYS[1])",
  "return redis.call('keys', '*')", "return redis.call('flushdb')", "local r = redis return r.call('get', 'x')", "local k = KEYS k[1] = 'x' return redis.call('get', KEYS[1])",
  "table.insert(KEYS, 'x') return redis.call('get', KEYS[2])", "return redis.call('del', KEYS[1], 'x')", "return redis.call('rpoplpush', KEYS[1], KEYS[1] .. ':done')", "local function get(key) return redis.call('get', key) end local key = KEYS[1] return get('x')",
  "local a, key = KEYS[1], 'x' return redis.call('get', key)", "local key, b = KEYS[1], KEYS[2] b, key = 1, 'x' return redis.call('get', key)", "return redis['call']('get', 'x')", "return loadstring('return redis.call(\"get\", \"x\")')()",
  "for key in pairs({x = 1}) do redis.call('get', key) end local key = KEYS[1]", "return redis.call('get', \"a\\\"b\")", "return redis.call('mset', unpack(ARGV))", "redis.call('sort', KEYS[1], 'by', 'x*')",
  "local key = KEYS[1]; (function(a, key) redis.call('get', key) end)(1, 'x')", "return redis.call('get', key)",
]

test.each(keeping)('keeps to the keys that it is given: %s', (script) => {
  expect(keepsToItsKeys(script, accessOf)).toBe(true)
})

test.each(others)('may access others: %s', (script) => {
  expect(keepsToItsKeys(script, accessOf)).toBe(false)
})
