import { askingLoop } from '../asking-loops.ts'
import type { Case } from './case.ts'

const waitWhile = (asks: string, wait = 'await null'): string => askingLoop(asks, { wait, takesTime: wait.includes('setTimeout') })

const ready = (wait: string): string => `let ready = false
let x = 0
const seen = []
const asking = async () => { ${waitWhile('!ready', wait)}; seen.push(x) }
const setting = async () => { await null; x = 1; await null; ready = true }
await Promise.all([asking(), setting()])
return seen`

/** Loops that wait by asking again: how often they ask in vain is no difference. */
export const askingLoops: readonly Case[] = [
  { name: 'a flag, await null', source: ready('await null'), outcomes: ['[1]'], atMost: 4 },
  { name: 'a flag, a settled promise', source: ready('await Promise.resolve()'), outcomes: ['[1]'], atMost: 4 },
  { name: 'a flag, an async function', source: `const tick = async () => { await null }\n${ready('await tick()')}`, outcomes: ['[1]'], atMost: 5 },
  { name: 'a flag, setImmediate', source: ready('await new Promise((resolve) => setImmediate(resolve))'), outcomes: ['[1]'], atMost: 5 },
  { name: 'a flag, a timer', source: ready('await new Promise((resolve) => setTimeout(resolve, 5))'), outcomes: ['[1]'], executions: 1 },
  {
    name: 'a flag that comes and goes',
    source: `let open = false
const asking = async () => { ${waitWhile('!open')}; return open }
const setting = async () => { await null; open = true; await null; open = false }
return await Promise.all([asking(), setting()])`,
    outcomes: ['[true,null]', 'livelock'],
  },
  {
    name: 'a queue',
    source: `const queue = []
const consume = async () => { const got = []; for (let i = 0; i < 2; i++) { ${waitWhile('queue.length === 0', 'await Promise.resolve()')}; got.push(queue.shift()) } return got }
const produce = async () => { for (const n of [1, 2]) { await null; queue.push(n) } }
return await Promise.all([consume(), produce()])`,
    outcomes: ['[[1,2],null]'],
  },
  {
    name: 'a lock',
    source: `let locked = false
const log = []
const task = async (name) => { await null; ${waitWhile('locked')}; locked = true; log.push(name); await null; log.push(name); locked = false }
await Promise.all([task('a'), task('b')])
return log.join('')`,
    outcomes: ['"aabb"', '"bbaa"'],
  },
  {
    name: 'a lock that is taken too late',
    source: `let locked = false
const log = []
const task = async (name) => { ${waitWhile('locked')}; await null; locked = true; log.push(name); await null; log.push(name); locked = false }
await Promise.all([task('a'), task('b')])
return log.join('')`,
  },
  {
    name: 'two that wait for each other',
    source: `const done = { a: false, b: false }
const task = async (mine, other) => { ${waitWhile('!done[other]')}; done[mine] = true }
await Promise.all([task('a', 'b'), task('b', 'a')])`,
    outcomes: ['livelock'],
  },
  {
    name: 'turns',
    source: `let turn = 0
const log = []
const task = async (me) => { for (let i = 0; i < 2; i++) { ${waitWhile('turn % 2 !== me')}; log.push(me); turn++ } }
await Promise.all([task(0), task(1)])
return log.join('')`,
    outcomes: ['"0101"'],
  },
  {
    name: 'a barrier of three',
    source: `let arrived = 0
const seen = []
const task = async () => { await null; arrived++; ${waitWhile('arrived < 3')}; seen.push(arrived) }
await Promise.all([task(), task(), task()])
return seen.join('')`,
    outcomes: ['"333"'],
  },
  {
    name: 'a timer sets the flag',
    source: `let ready = false
setTimeout(() => { ready = true }, 10)
const log = []
setTimeout(() => log.push('timer'), 10)
${waitWhile('!ready')}
return log.length`,
    outcomes: 2,
  },
]
