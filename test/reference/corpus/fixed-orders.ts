import type { Case } from './case.ts'

/** What the language orders however long things take: `fixedOutcomes` are what is left where that is kept. */
interface Ordered {
  readonly name: string
  readonly source: string
  readonly outcomes: readonly string[]
  readonly fixedOutcomes: readonly string[]
}

const log = (statements: string): string => `let log = ''
const add = (name) => () => { log += name }
${statements}
return log`

const ordered: readonly Ordered[] = [
  {
    name: 'reactions of one promise',
    source: log(`const promise = Promise.resolve(); await Promise.all([promise.then(add('a')), promise.then(add('b'))])`),
    outcomes: ['"ab"', '"ba"'],
    fixedOutcomes: ['"ab"'],
  },
  {
    name: 'then, catch and finally of one promise',
    source: log(`const promise = Promise.reject(1); await Promise.allSettled([promise.catch(add('a')), promise.finally(add('b')), promise.then(null, add('c'))])`),
    outcomes: ['"abc"', '"acb"', '"bac"', '"bca"', '"cab"', '"cba"'],
    fixedOutcomes: ['"abc"'],
  },
  {
    name: 'awaits of one promise',
    source: log(`let settle; const gate = new Promise((resolve) => { settle = resolve })
const task = async (name) => { await gate; log += name }
const both = Promise.all([task('a'), task('b')])
settle()
await both`),
    outcomes: ['"ab"', '"ba"'],
    fixedOutcomes: ['"ab"'],
  },
  {
    name: 'awaits of one promise that begin in any order',
    source: log(`let settle; const gate = new Promise((resolve) => { settle = resolve })
const task = async (name) => { await null; await gate; log += name }
const open = async () => { await null; settle() }
await Promise.all([task('a'), task('b'), open()])`),
    outcomes: ['"ab"', '"ba"'],
    fixedOutcomes: ['"ab"', '"ba"'],
  },
  {
    name: 'reactions of two promises',
    source: log(`await Promise.all([Promise.resolve().then(add('a')), Promise.resolve().then(add('b'))])`),
    outcomes: ['"ab"', '"ba"'],
    fixedOutcomes: ['"ab"', '"ba"'],
  },
  {
    name: 'queueMicrotask callbacks',
    source: log(`queueMicrotask(add('a')); queueMicrotask(add('b')); await new Promise((resolve) => setTimeout(resolve, 1))`),
    outcomes: ['"ab"', '"ba"'],
    fixedOutcomes: ['"ab"'],
  },
  {
    name: 'queueMicrotask and setImmediate',
    source: log(`setImmediate(add('i')); queueMicrotask(add('m')); await new Promise((resolve) => setTimeout(resolve, 1))`),
    outcomes: ['"im"', '"mi"'],
    fixedOutcomes: ['"mi"'],
  },
  {
    name: 'queueMicrotask and a reaction',
    source: log(`queueMicrotask(add('m')); await Promise.resolve().then(add('r')); await new Promise((resolve) => setTimeout(resolve, 1))`),
    outcomes: ['"mr"', '"rm"'],
    fixedOutcomes: ['"mr"'],
  },
  {
    name: 'queueMicrotask before an await',
    source: log(`queueMicrotask(add('m')); await null; log += 'a'; await new Promise((resolve) => setTimeout(resolve, 1))`),
    outcomes: ['"am"', '"ma"'],
    fixedOutcomes: ['"ma"'],
  },
  {
    name: 'queueMicrotask before a promise is settled',
    source: log(`let settle; const gate = new Promise((resolve) => { settle = resolve })
const done = gate.then(add('r')); queueMicrotask(add('m')); settle(); await done; await new Promise((resolve) => setTimeout(resolve, 1))`),
    outcomes: ['"mr"', '"rm"'],
    fixedOutcomes: ['"mr"'],
  },
  {
    name: 'queueMicrotask before a reaction to a call that has ended',
    source: log(`const nothing = async () => {}
const done = nothing(); queueMicrotask(add('m')); await done.then(add('r')); await new Promise((resolve) => setTimeout(resolve, 1))`),
    outcomes: ['"mr"', '"rm"'],
    fixedOutcomes: ['"mr"'],
  },
  {
    name: 'queueMicrotask after a reaction to a call that has ended',
    source: log(`const nothing = async () => {}
const done = nothing().then(add('r')); queueMicrotask(add('m')); await done; await new Promise((resolve) => setTimeout(resolve, 1))`),
    outcomes: ['"mr"', '"rm"'],
    fixedOutcomes: ['"mr"', '"rm"'],
  },
  {
    name: 'queueMicrotask and who settles, in any order',
    source: log(`let settle; const gate = new Promise((resolve) => { settle = resolve })
const one = async () => { await null; queueMicrotask(add('m')) }
const two = async () => { await null; settle() }
await Promise.all([one(), two(), gate.then(add('r'))]); await new Promise((resolve) => setTimeout(resolve, 1))`),
    outcomes: ['"mr"', '"rm"'],
    fixedOutcomes: ['"mr"', '"rm"'],
  },
  {
    name: 'queueMicrotask before a thenable is awaited',
    source: log(`queueMicrotask(add('m')); await { then(go) { log += 't'; go() } }; await new Promise((resolve) => setTimeout(resolve, 1))`),
    outcomes: ['"mt"', '"tm"'],
    fixedOutcomes: ['"mt"'],
  },
  {
    name: 'timers of one length that two tasks set at one moment',
    source: log(`const task = async (name) => { await null; log += name; setTimeout(add(name.toUpperCase()), 5) }
await Promise.all([task('a'), task('b')])
await new Promise((resolve) => setTimeout(resolve, 6))`),
    outcomes: ['"abAB"', '"abBA"', '"baAB"', '"baBA"'],
    fixedOutcomes: ['"abAB"', '"baBA"'],
  },
  {
    name: 'timers of two lengths that are due at one moment',
    source: log(`const long = async () => { await null; setTimeout(add('a'), 10) }
const short = async () => { await new Promise((resolve) => setTimeout(resolve, 5)); setTimeout(add('b'), 5) }
await Promise.all([long(), short()])
await new Promise((resolve) => setTimeout(resolve, 20))`),
    outcomes: ['"ab"', '"ba"'],
    fixedOutcomes: ['"ab"', '"ba"'],
  },
  {
    name: 'timers of one task',
    source: log(`setTimeout(add('a'), 5); setTimeout(add('b'), 5); await new Promise((resolve) => setTimeout(resolve, 6))`),
    outcomes: ['"ab"'],
    fixedOutcomes: ['"ab"'],
  },
  {
    name: 'a timer and AbortSignal.timeout of one length',
    source: `const signal = AbortSignal.timeout(5)
const seen = []
const task = async () => { await null; await new Promise((resolve) => setTimeout(resolve, 5)); seen.push(signal.aborted) }
await Promise.all([task(), new Promise((resolve) => setTimeout(resolve, 9))])
return [seen, signal.aborted]`,
    outcomes: ['[[false],true]', '[[true],true]'],
    fixedOutcomes: ['[[true],true]'],
  },
  {
    name: 'requests to one async generator',
    source: log(`async function* numbers() { yield 1; yield 2; yield 3 }
const o = numbers()
const [one, two] = await Promise.all([o.next(), o.next()])
log = one.value + ',' + two.value`),
    outcomes: ['"1,2"'],
    fixedOutcomes: ['"1,2"'],
  },
]

export const fixedOrders: readonly Case[] = ordered
