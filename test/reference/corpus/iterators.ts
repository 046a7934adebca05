import { apart, changeAndLook, changesAndEnd, type Case } from './case.ts'

/** Two tasks take from one iterator: who comes first gets the first. */
function shared(name: string, make: string, needs?: unknown): Case {
  return changesAndEnd({
    name: `two tasks take from ${name}`,
    make: `${make}; const got = {}`,
    changes: ['got.a = o.next().value', 'got.b = o.next().value'],
    look: 'JSON.stringify([got.a, got.b])',
    outcomes: 2,
    needs,
  })
}

const hasHelpers = typeof (globalThis as { Iterator?: unknown }).Iterator === 'function'

export const iterators: readonly Case[] = [
  shared('an array iterator', 'const o = [1, 2].values()'),
  shared('an array iterator by symbol', 'const o = [1, 2][Symbol.iterator]()'),
  shared('a map iterator', `const o = new Map([['a', 1], ['b', 2]]).keys()`),
  shared('a set iterator', 'const o = new Set([1, 2]).values()'),
  shared('a string iterator', `const o = 'ab'[Symbol.iterator]()`),
  shared('a generator', 'const o = (function* () { yield 1; yield 2 })()'),
  shared('a matchAll iterator', `const o = 'aa'.matchAll(/a/g); const next = o.next.bind(o); o.next = () => ({ value: next().value?.index })`),
  shared('URLSearchParams entries', `const o = new URLSearchParams('a=1&b=2').values()`),
  shared('an iterator of one’s own', 'let n = 0; const o = { next: () => ({ value: n++ }) }'),
  shared('a typed array iterator', 'const o = new Uint8Array([1, 2]).values()'),
  shared('an iterator helper', 'const o = [1, 2].values().map((n) => n)', hasHelpers),
  shared('Iterator.from', 'const o = Iterator.from([1, 2])', hasHelpers),
  ...['next.call(o)', 'o.next()', 'Reflect.apply(next, o, [])', '(([first]) => ({ value: first }))(o)', '({ value: [...o][0] })', '({ value: Array.from(o)[0] })', '(() => { for (const value of o) return { value } })()', 'opaque.invoke(o, \'next\')', '({ value: Math.min(...o) })'].map((look) =>
    changeAndLook({ name: `${look} while iterator.next`, make: 'const o = [1, 2, 3].values(); const { next } = o', change: 'o.next()', look: `${look}.value` }),
  ),
  ...['o.next().value ?? null', '[...o].join()', 'Array.from(o).join()'].flatMap((look) => [
    changeAndLook({ name: `${look} of an array iterator while the array grows`, make: 'const list = []; const o = list.values()', change: 'list.push(1)', look }),
    changeAndLook({ name: `${look} of a map iterator while the map grows`, make: 'const map = new Map(); const o = map.keys()', change: 'map.set(1, 1)', look }),
    changeAndLook({ name: `${look} of a set iterator while the set grows`, make: 'const set = new Set(); const o = set.values()', change: 'set.add(1)', look }),
  ]),
  changeAndLook({ name: 'generator.return while next', make: 'const o = (function* () { yield 1; yield 2 })()', change: 'o.return()', look: 'o.next().done' }),
  changeAndLook({ name: 'generator.throw while next', make: 'const o = (function* () { yield 1; yield 2 })()', change: 'try { o.throw(1) } catch {}', look: 'o.next().done' }),
  ...['o.toArray()', 'o.take(1).toArray()', 'o.drop(1).toArray()', 'o.filter(() => true).toArray()', 'o.reduce((a, b) => a + b)', 'o.some((n) => n === 1)', 'o.every((n) => n > 1)', 'o.find(() => true)', 'o.flatMap((n) => [n]).toArray()'].map((look) =>
    changeAndLook({ name: `${look} while iterator.next`, make: 'const o = [1, 2, 3].values()', change: 'o.next()', look, needs: hasHelpers }),
  ),
  apart({ name: 'array iterator', make: 'const o = [1, 2].values()', change: 'o.next()', look: 'o.next().value' }),
  apart({ name: 'generator', make: 'const o = (function* () { yield 1; yield 2 })()', change: 'o.next()', look: 'o.next().value' }),
  apart({ name: 'map iterator', make: `const o = new Map([['a', 1], ['b', 2]]).entries()`, change: 'o.next()', look: 'o.next().value' }),
  apart({ name: 'iterator helper', make: 'const o = [1, 2].values().map((n) => n)', change: 'o.next()', look: 'o.next().value', needs: hasHelpers }),
]
