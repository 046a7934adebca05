import { explore } from '../src/runtime/exploration/explore.ts'
import { install } from '../src/runtime/index.ts'
import { cpuOf, load } from './subject.ts'

/** What may cost more the more there is of it: the source of a body by how much, and how much of it is a little. */
interface Growing {
  readonly source: (n: number) => string
  readonly n: number
  readonly time?: 'race'
}

const task = (body: string, state = '{}'): string => `return { setup: () => (${state}), tasks: [async (s) => { ${body} }] }`
const filled = (n: number): string => `Array.from({ length: ${n} }, (_, i) => i)`

const growing: Record<string, Growing> = {
  'array.shift() until it is empty': { n: 5_000, source: (n) => task('while (s.items.length > 0) s.items.shift()', `{ items: ${filled(n)} }`) },
  'map.keys().next(), and that key goes': {
    n: 2_000,
    source: (n) => task('while (s.map.size > 0) s.map.delete(s.map.keys().next().value)', `{ map: new Map(${filled(n)}.map((i) => [i, i])) }`),
  },
  'one change of an old Map': { n: 20_000, source: (n) => `const map = new Map(${filled(n)}.map((i) => [i, i])); ${task('map.set(1, 2)')}` },
  'pushes in one step': { n: 4_000, source: (n) => task(`for (let i = 0; i < ${n}; i++) s.items.push(i)`, '{ items: [] }') },
  'locations in one step': { n: 20_000, source: (n) => task(`for (let i = 0; i < ${n}; i++) s.items[i]++`, `{ items: ${filled(n)} }`) },
  'processes that are ready': { n: 1_000, source: (n) => task(`await Promise.all(${filled(n)}.map(async () => { await null }))`) },
  timers: { n: 1_000, source: (n) => task(`await Promise.all(${filled(n)}.map((i) => new Promise((resolve) => setTimeout(resolve, i))))`) },
  'timers due at once': { n: 1_000, source: (n) => task(`await Promise.all(${filled(n)}.map(() => new Promise((resolve) => setTimeout(resolve, 1))))`) },
  "timers, time: 'race'": { n: 250, time: 'race', source: (n) => task(`await Promise.all(${filled(n)}.map((i) => new Promise((resolve) => setTimeout(resolve, i))))`) },
  'ticks, and microtasks that come before them': { n: 250, source: (n) => task(`await null; for (let i = 0; i < ${n}; i++) process.nextTick(() => {}); for (let i = 0; i < ${n}; i++) queueMicrotask(() => {}); await null`) },
  'calls of code that is not instrumented, which may keep what it gets': { n: 250, source: (n) => task(`for (let i = 0; i < ${n}; i++) opaque({ i })`) },
  microtasks: { n: 1_000, source: (n) => task(`for (let i = 0; i < ${n}; i++) queueMicrotask(() => {}); await null`) },
}

/** Is not instrumented. */
const opaque = (object: { i: number }): void => void object.i++

/** How many times as much of it is tried. */
const times = 4

/** Of so many explorations the fastest counts. */
const tries = 3

/** Of what there may be much of in one execution: the cost of each where there are four times as many, over the cost of each. 1 where it is in proportion, 4 where it grows with the square. */
export async function benchGrowth(): Promise<void> {
  install()
  Object.assign(globalThis, { opaque })
  const rows: Record<string, Record<string, string | number>> = {}
  for (const [name, { source, n, time }] of Object.entries(growing)) {
    const options = { reproduce: 0, maxSteps: 1_000_000, ...(time && { time }) } as const
    const each = async (count: number): Promise<number> => ((await fastest(source(count), options)) * 1000) / count
    // The many first: by then the platform has compiled what they run.
    const [many, few] = [await each(times * n), await each(n)]
    rows[name] = { n, 'us each': round(few), [`at ${times} n`]: round(many), ratio: round(many / few) }
  }
  console.log('\nwhat there may be much of')
  console.table(rows)
  const checked = task('for (let i = 0; i < 100_000; i++) s.n++', '{ n: 0 }')
  const [unchecked, twice] = [await fastest(checked, { reproduce: 0 }), await fastest(checked, { reproduce: 2 })]
  console.log(`checking the verdict of 100,000 accesses by running them twice: ${round(twice / unchecked)} times the exploration`)
}

async function fastest(source: string, options: Parameters<typeof explore>[1]): Promise<number> {
  let best = Infinity
  for (let i = 0; i < tries; i++) {
    const subject = load(source, { isRewritten: true })
    best = Math.min(best, await cpuOf(() => explore(subject, options)))
  }
  return best
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
