import { beforeAll, describe, expect, test } from 'vitest'
import { config, project, run, type Run } from './project.ts'

describe('a body that deadlocks', () => {
  let result: Run
  beforeAll(async () => {
    result = await run(project('deadlock', {
      'locks.ts': `export class Lock {
  #held = false
  #waiting: (() => void)[] = []
  async take() {
    while (this.#held) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#held = true
  }
  give() {
    this.#held = false
    this.#waiting.shift()?.()
  }
}
export async function move(first: Lock, second: Lock) {
  await first.take()
  await second.take()
  second.give()
  first.give()
}
`,
      'cycle.spec.ts': `import { dporTest } from 'vitest-dpor'
import { Lock, move } from './locks'
dporTest('lock cycle', { timeout: 20_000 }, {
  setup: () => ({ a: new Lock(), b: new Lock() }),
  tasks: { there: ({ a, b }) => move(a, b), back: ({ a, b }) => move(b, a) },
})
dporTest('one order', { timeout: 20_000 }, {
  setup: () => ({ a: new Lock(), b: new Lock() }),
  tasks: { there: ({ a, b }) => move(a, b), too: ({ a, b }) => move(a, b) },
})
`,
      'never.spec.ts': `import { dporTest } from 'vitest-dpor'
dporTest('a promise that nobody settles', { timeout: 20_000 }, async () => {
  await Promise.all([null, 1].map(async (x) => { if (x) await new Promise(() => {}) }))
})
`,
      'missed.spec.ts': `import { dporTest } from 'vitest-dpor'
dporTest('a missed signal', { timeout: 20_000 }, async () => {
  let wake = () => {}
  let isReady = false
  const consumer = async () => {
    if (isReady) return
    await null
    await new Promise<void>((resolve) => { wake = resolve })
  }
  const producer = async () => {
    await null
    isReady = true
    wake()
  }
  await Promise.all([consumer(), producer()])
})
`,
    }))
  })

  test('is reported as a deadlock, not as a timeout', () => {
    const { status, message, dpor } = result.test('lock cycle')
    expect(status).toBe('failed')
    expect(message).toMatch(/[Dd]eadlock/)
    expect(message).not.toMatch(/timed out/i)
    expect(dpor).toMatchObject({ verdict: 'fails', schedule: expect.any(String) })
  })

  test('names both awaits', () => {
    const { message } = result.test('lock cycle')
    expect(message).toContain('there')
    expect(message).toContain('back')
    // `await second.take()` in move, and the await in take
    expect(message).toMatch(/locks\.ts:15/)
    expect(message).toMatch(/locks\.ts:5/)
  })

  test('the same locks in one order hold', () => {
    expect(result.test('one order')).toMatchObject({ status: 'passed', dpor: { verdict: 'holds' } })
  })

  test('a promise that nobody settles', () => {
    const { message, dpor } = result.test('a promise that nobody settles')
    expect(message).toMatch(/[Dd]eadlock/)
    expect(message).toContain('never.spec.ts:3')
    expect(dpor).toMatchObject({ verdict: 'fails' })
  })

  test('a missed signal', () => {
    const { message } = result.test('a missed signal')
    expect(message).toMatch(/[Dd]eadlock/)
    expect(message).toContain('missed.spec.ts:8')
  })
})

describe('a body that does something else each time', () => {
  let result: Run
  beforeAll(async () => {
    result = await run(project('divergence', {
      'vitest.config.ts': config("{ opaque: ['hidden-state'] }"),
      'node_modules/hidden-state/package.json': '{ "name": "hidden-state", "type": "module", "exports": "./index.js" }',
      'node_modules/hidden-state/index.js': 'let calls = 0\nexport const next = () => calls++\n',
      'measured.spec.ts': `import { generateKeySync } from 'node:crypto'
import { dporTest } from 'vitest-dpor'
dporTest('a new key', async () => {
  const shared = { n: 0 }
  const work = async () => {
    const turns = generateKeySync('aes', { length: 128 }).export().readUInt16LE() % 37
    for (let i = 0; i < turns; i++) {
      await null
      shared.n++
    }
  }
  await Promise.all([work(), work()])
})
`,
      'hidden.spec.ts': `import { next } from 'hidden-state'
import { dporTest } from 'vitest-dpor'
dporTest('hidden state', async () => {
  const shared: Record<string, number> = {}
  const work = async () => {
    await null
    shared['key' + next()] = 1
  }
  await Promise.all([work(), work()])
})
`,
      'hidden-branch.spec.ts': `import { next } from 'hidden-state'
import { dporTest } from 'vitest-dpor'
dporTest('hidden state in a condition', async () => {
  const shared = { n: 0, m: 0 }
  const work = async () => {
    await null
    if (next() % 3 === 0) shared.m++
    shared.n++
  }
  await Promise.all([work(), work()])
})
`,
      'file.spec.ts': `import { execFileSync } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { dporTest } from 'vitest-dpor'
import { afterAll, beforeAll } from 'vitest'
const log = new URL('./growing.log', import.meta.url)
beforeAll(() => rm(log, { force: true }))
afterAll(() => rm(log, { force: true }))
dporTest('a file that grows', async () => {
  const shared: Record<string, number> = {}
  execFileSync('sh', ['-c', 'printf . >> ' + fileURLToPath(log)])
  const { length } = await readFile(log, 'utf8')
  shared['length' + length] = 1
})
`,
      'steady.spec.ts': `import { dporTest } from 'vitest-dpor'
import { expect } from 'vitest'
dporTest('seeded randomness and virtual time are steady', async () => {
  const shared: Record<string, number> = {}
  const work = async () => {
    await null
    shared[String(Math.random()) + Date.now() + crypto.randomUUID()] = 1
  }
  await Promise.all([work(), work()])
  expect(Object.keys(shared)).toHaveLength(2)
})
`,
    }))
  })

  test.each([
    ['a new key', 'measured.spec.ts', [5, 8, 9, 12]],
    ['hidden state', 'hidden.spec.ts', [7]],
    ['hidden state in a condition', 'hidden-branch.spec.ts', [7, 8]],
  ])('%s: an error that says where, and no verdict', (name, file, lines) => {
    const { status, message, dpor } = result.test(name)
    expect(status).toBe('failed')
    expect(message).toMatch(/diverged/)
    expect(message).toMatch(/random|I\/O|not instrumented/)
    expect(message).toMatch(new RegExp(`${file.replaceAll('.', '\\.')}:(?:${lines.join('|')}):`))
    expect(dpor?.['verdict']).toBeUndefined()
  })

  test('a file that another process makes grow is real, and nobody puts it back: no verdict, and the reason says where', () => {
    const { status, dpor } = result.test('a file that grows')
    expect(status).toBe('passed')
    expect(dpor).toMatchObject({ verdict: 'inconclusive', inconclusiveReason: expect.stringMatching(/file\.spec\.ts:13:/) })
  })

  test('seeded randomness and virtual time are steady', () => {
    expect(result.test('seeded randomness and virtual time are steady')).toMatchObject({ status: 'passed', dpor: { verdict: 'holds' } })
  })
})

describe('other failures', () => {
  let result: Run
  beforeAll(async () => {
    result = await run(project('kinds', {
      'a.spec.ts': `import { expect } from 'vitest'
import { dporTest } from 'vitest-dpor'
dporTest('a rejection that nobody handles', async () => {
  const save = async () => { await null; throw new RangeError('disk full') }
  void save()
  await null
  await null
})
dporTest('an error in a timer', async () => {
  setTimeout(() => { throw new RangeError('in the timer') }, 5)
  await new Promise((resolve) => setTimeout(resolve, 10))
})
dporTest('a thrown string', async () => {
  await null
  throw 'just text'
})
dporTest('an error with a cause', async () => {
  await null
  throw new Error('outer', { cause: new TypeError('inner') })
})
dporTest('a difference', async () => {
  await null
  expect({ a: 1, b: [1, 2] }).toEqual({ a: 1, b: [1, 3] })
})
dporTest('a handled rejection', async () => {
  const fail = async () => { await null; throw new Error('expected') }
  await expect(fail()).rejects.toThrow('expected')
})
`,
    }))
  })

  test('a rejection that nobody handles fails the test, and only once', () => {
    const { status, message, dpor } = result.test('a rejection that nobody handles')
    expect(status).toBe('failed')
    expect(message).toContain('disk full')
    expect(message).toMatch(/[Uu]nhandled rejection|rejection that nobody handle/)
    expect(dpor).toMatchObject({ verdict: 'fails' })
    expect(result.output).not.toMatch(/Unhandled Errors/)
  })

  test.each([
    ['an error in a timer', 'in the timer'],
    ['a thrown string', 'just text'],
    ['an error with a cause', 'outer'],
    ['a difference', 'to deeply equal'],
  ])('%s is shown', (name, text) => {
    expect(result.test(name)).toMatchObject({ status: 'failed', message: expect.stringContaining(text), dpor: { verdict: 'fails' } })
  })

  test('causes and differences are shown as Vitest shows them', () => {
    expect(result.output).toMatch(/Caused by: TypeError: inner/)
    expect(result.output).toMatch(/-\s+3,\n\+\s+2,/)
  })

  test('a handled rejection is no failure', () => {
    expect(result.test('a handled rejection')).toMatchObject({ status: 'passed', dpor: { verdict: 'holds' } })
  })
})

describe('in a file that has taken AggregateError away, which Vitest asks for with each error', () => {
  const files = {
    'a.spec.ts': `import { expect, test } from 'vitest'
import { dporTest } from 'vitest-dpor'
const own = globalThis.AggregateError
globalThis.AggregateError = undefined as never
const raced = async () => {
  const state = { n: 0 }
  const add = async () => { const seen = state.n; await null; state.n = seen + 1 }
  await Promise.all([add(), add()])
  return state.n
}
dporTest('fails', async () => { expect(await raced()).toBe(2) })
dporTest('fails in a hook that it asks for', async ({ onTestFinished }) => { onTestFinished(() => expect(globalThis.AggregateError).toBe(1)); await raced() })
dporTest('holds, and it is away in each execution', async () => {
  expect(globalThis.AggregateError).toBe(undefined)
  expect(await raced()).toBeGreaterThan(0)
})
dporTest('leaves it there again', async () => {
  globalThis.AggregateError = own
  await raced()
})
test('the one after them', async () => { expect(globalThis.AggregateError).toBe(own); await 1 })
`,
  }

  test.each([[], ['--', '--dpor']])('tests fail and pass as anywhere %s %s', async (...args) => {
    const ended = await run(project('no-aggregate-error', files), ...args)
    expect(ended.output).not.toContain('Unhandled Errors')
    expect(ended.test('fails')).toMatchObject({ status: 'failed', message: expect.stringContaining('Lost update') })
    expect(ended.test('fails in a hook that it asks for')).toMatchObject({ status: 'failed', dpor: { verdict: 'fails' } })
    expect(ended.test('holds, and it is away in each execution')).toMatchObject({ status: 'passed', dpor: { verdict: 'holds' } })
    expect(ended.test('leaves it there again')).toMatchObject({ status: 'passed', dpor: { verdict: 'holds' } })
    expect(ended.test('the one after them').status).toBe('passed')
  })
})
