import { Random } from '../async-oracle/random.ts'

/** The body of a test, as text: it pushes to `log`, asks `mock`, and calls `library`. */
export interface Program {
  readonly body: string
  /** What `log` comes to in the plain order. */
  readonly log: string
}

/** What the bodies call; none of it stands for I/O. */
export const library = `
export const hops = async (n) => { for (let i = 0; i < n; i++) await null; return n }
export const passes = async (f) => f()
export const both = async (f, g) => { await Promise.all([f(), g()]) }
export const tells = async (fs) => { await Promise.all(fs.map(async (f) => { try { await f() } catch {} })) }
export const each = async (f) => { for await (const _ of f()) await null }
export const limited = async (f) => { let timer; try { return await Promise.race([f(), new Promise((_, no) => { timer = setTimeout(no, 5000) })]) } finally { clearTimeout(timer) } }
export const shape = { size: 1 }
export class Gate { constructor() { this.promise = new Promise((open) => (this.open = open)) } }
`

const names = ['hops', 'passes', 'both', 'tells', 'each', 'limited', 'shape', 'Gate']

/** Bodies that end in the plain order, in which lines go on beside one another, some of which ask a mock. */
export async function programs(seed: number, count: number): Promise<readonly Program[]> {
  const found: Program[] = []
  for (let i = 0; found.length < count; i++) {
    const body = new Writer(new Random(seed + i)).body()
    const log = body.length < 900 ? await outcome(body, () => 0) : undefined
    if (log !== undefined && !log.startsWith('!')) found.push({ body, log })
  }
  return found
}

/** What a body comes to where each answer of the mock takes so many turns of the event loop: its log, or `!` where it fails, hangs, or leaves a rejection for a while that nobody handles. */
export async function outcome(body: string, turns: () => number): Promise<string> {
  let isUnhandled = false
  const notice = (): void => void (isUnhandled = true)
  const others = process.rawListeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', notice)
  try {
    const log = await run(body, turns)
    for (let i = 0; i < 3; i++) await turn()
    return isUnhandled ? '! unhandled' : log
  } finally {
    process.off('unhandledRejection', notice)
    for (const other of others) process.on('unhandledRejection', other as () => void)
  }
}

const turn = (): Promise<void> => new Promise((done) => setImmediate(done))

async function run(body: string, turns: () => number): Promise<string> {
  // eslint-disable-next-line no-new-func
  const call = new Function('mock', 'expect', `${library.replaceAll('export ', '')}\nreturn (async () => { ${body}; return log.join() })()`) as (mock: unknown, expect: unknown) => Promise<string>
  const mock = async (n: number): Promise<number> => {
    for (let left = turns(); left > 0; left--) await turn()
    return n
  }
  const expect = (promise: Promise<unknown>): object => ({ resolves: { toBe: async () => void (await promise) } })
  const given = async (): Promise<string> => {
    for (let i = 0; i < 200; i++) await turn()
    return '! hangs'
  }
  return Promise.race([call(mock, expect).catch(() => '! fails'), given()])
}

class Writer {
  readonly #random: Random
  #names = 0

  constructor(random: Random) {
    this.#random = random
  }

  body(): string {
    return `const log = [], gate = new Gate(), other = new Gate(); ${this.#statements(2)} other.open(0); gate.open()`
  }

  #statements(depth: number): string {
    return Array.from({ length: 1 + this.#random.int(depth > 1 ? 4 : 2) }, () => this.#statement(depth)).join(' ')
  }

  #statement(depth: number): string {
    const inner = Math.max(depth - 1, 0)
    const name = `v${this.#names++}`
    switch (this.#random.int(19)) {
      case 17:
        return `Object.defineProperty(shape, 'size', { get: () => 1, configurable: true }); ${this.#logs()};`
      case 18:
        return `delete shape.size; shape.size = 2; ${this.#logs()};`
      case 15:
        return `const ${name} = setTimeout(() => log.push('late'), 5000); ${this.#statement(inner)} clearTimeout(${name});`
      case 16:
        return `await limited(() => ${this.#promise(inner)}); ${this.#logs()};`
      case 0:
        return `void ${this.#promise(depth)};`
      case 1:
        return `const ${name} = ${this.#promise(depth)}; ${this.#statement(inner)} await ${name}; ${this.#logs()};`
      case 2:
        return `gate.open(); ${this.#logs()};`
      case 3:
        return `await null; ${this.#logs()};`
      case 4:
        return `const ${name} = ${this.#promise(depth)}.then(() => Promise.reject(new Error('no'))); ${this.#statement(inner)} await ${name}.catch(() => {}); ${this.#logs()};`
      case 5:
        return `other.open(${this.#random.pick(['1', this.#promise(inner)])});`
      case 6:
        return `const ${name} = mock(1); other.open(${name}); await ${name};`
      case 7:
        return `for (const x of [1, 2]) { await ${this.#promise(inner)}; ${this.#logs()}; }`
      case 8:
        return `${this.#logs()};`
      default:
        return `await ${this.#promise(depth)}; ${this.#logs()};`
    }
  }

  #logs(): string {
    return `log.push('${this.#names++}')`
  }

  /** An expression that is a promise. */
  #promise(depth: number): string {
    const of = (): string => this.#promise(depth - 1)
    const all = (): string => this.#statements(depth - 1)
    switch (this.#random.int(depth > 0 ? 22 : 6)) {
      case 0:
      case 1:
        return `hops(${this.#random.int(5)})`
      case 2:
      case 3:
        return `mock(${this.#random.int(3)})`
      case 4:
        return `Promise.resolve(${this.#random.int(3)})`
      case 5:
        return this.#random.pick(['gate.promise.then(() => 0)', 'hops(1)', 'hops(2)'])
      case 6:
        return `passes(() => ${of()})`
      case 7:
        return `both(async () => { ${all()} }, async () => { ${all()} })`
      case 8:
        return `tells([${Array.from({ length: 1 + this.#random.int(2) }, () => `() => ${of()}`).join(', ')}])`
      case 9:
        return `${of()}.then(() => { ${this.#logs()} })`
      case 10:
        return `(async () => { ${all()} })()`
      case 11:
        return `Promise.all([${of()}, ${of()}])`
      case 12:
        return `Promise.race([${of()}, ${of()}])`
      case 13:
        return `${of()}.then(() => Promise.reject(new Error('no'))).catch(() => { ${this.#logs()} })`
      case 14:
        return `new Promise((resolve) => { ${of()}.then(resolve) })`
      case 15:
        return `new Promise((resolve) => resolve(${of()}))`
      case 16:
        return `expect(${of()}.then(() => 1)).resolves.toBe(1)`
      case 17:
        return `each(async function* () { ${all()} yield 1; ${all()} })`
      case 18:
        return `Promise.allSettled([${of()}, ${of()}])`
      case 19:
        return `${of()}.finally(() => ${of()})`
      case 20:
        return `Promise.resolve({ then(resolve) { ${this.#logs()}; ${of()}.then(() => resolve(1)) } })`
      default:
        return this.#random.pick(['other.promise', 'other.promise.then(hops)', 'passes(() => other.promise)'])
    }
  }
}

/** The spec file that has each of them as an ordinary test, by its number. */
export const specOf = (all: readonly Program[]): string => `import { expect, test, vi } from 'vitest'
import { ${names.join(', ')} } from './library'
const mock = vi.fn(async (n) => n)
${all.map(({ body, log }, i) => `test('program ${i}', async () => { ${body}; expect(log.join()).toBe('${log}') })`).join('\n')}
`
