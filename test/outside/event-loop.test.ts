import { beforeAll, describe, expect, test } from 'vitest'
import { config, project, run, type Run } from './project.ts'

const account = `
export class Account {
  constructor(private readonly bank: { read(): Promise<number>; write(balance: number): Promise<void> }) {}
  async withdraw(amount: number): Promise<boolean> {
    const balance = await this.bank.read()
    await Promise.resolve()
    if (balance < amount) return false
    await this.bank.write(balance - amount)
    return true
  }
}
`

const spec = `
import { expect, vi } from 'vitest'
import { dporTest, io } from 'vitest-dpor'
import { Account } from './account'
import { MemoryBank, rates } from './bank'

async function withdrawTwice(bank, last = () => bank.balance) {
  const account = new Account(bank)
  const paid = await Promise.all([account.withdraw(80), account.withdraw(80)])
  expect(paid.filter(Boolean)).toHaveLength(1)
}

dporTest('mocks', async () => {
  let balance = 100
  const bank = {
    read: vi.fn(async () => balance),
    write: vi.fn().mockImplementation(async (value) => { balance = value }),
  }
  await withdrawTwice(bank)
})

dporTest('resolved values', async () => {
  const rate = vi.fn().mockResolvedValue(2)
  const shown = []
  const convert = async (n) => { shown.push('start ' + n); const value = n * await rate(n); shown.push('end ' + n) }
  await Promise.all([convert(1), convert(2)])
  expect(shown).toEqual(['start 1', 'start 2', 'end 1', 'end 2'])
})

dporTest('awaits of the test file', async () => {
  let balance = 100
  await withdrawTwice({
    async read() { await null; return balance },
    async write(value) { await null; balance = value },
  })
})

dporTest('io()', async () => {
  let balance = 100
  await withdrawTwice({ read: () => io(balance), write: (value) => { balance = value; return Promise.resolve() } })
})

dporTest('microtasks are in no other order', async () => {
  const order = []
  const tick = async (name) => { order.push(name); await new MemoryBank(1).read(); order.push(name) }
  await Promise.all([tick('a'), tick('b')])
  expect(order).toEqual(['a', 'b', 'a', 'b'])
})

dporTest('a failure of the plain run', async () => {
  const bank = new MemoryBank(100)
  const account = new Account(bank)
  const seen = []
  const answered = vi.fn(async (x) => x)
  const first = account.withdraw(80).then(() => seen.push('first'))
  const second = answered(1).then(() => seen.push('second'))
  await Promise.all([first, second])
  expect(seen).toEqual(['first', 'second'])
})

dporTest('fakes that await nothing', async () => {
  const order = []
  const convert = async (n) => { await rates.rate(); order.push(n) }
  await Promise.all([convert(1), convert(2)])
  expect(order).toEqual([1, 2])
})

dporTest('a timer comes after answers', async () => {
  const answer = vi.fn(async () => 'answer')
  const timeout = new Promise((resolve) => setTimeout(resolve, 100, 'timeout'))
  expect(await Promise.race([answer(), timeout])).toBe('answer')
})
`

const bank = `
export const rates = { async rate() { return 2 } }
export class MemoryBank {
  constructor(public balance: number) {}
  async read(): Promise<number> { await null; return this.balance }
  async write(balance: number): Promise<void> { await null; this.balance = balance }
}
`

const files = { 'account.ts': account, 'bank.ts': bank, 'account.spec.ts': spec }

describe("interleave: 'event-loop'", () => {
  let result: Run
  beforeAll(async () => {
    result = await run(project('event-loop', { ...files, 'vitest.config.ts': config(`{ interleave: 'event-loop' }`) }))
  })

  test.each(['mocks', 'resolved values', 'awaits of the test file', 'io()'])('%s stand for I/O, which may take any time', (name) => {
    expect(result.test(name).dpor).toMatchObject({ verdict: 'fails', interleave: 'event-loop' })
  })

  test('a story has the lines of control of the calls that wait, and says that the plain order fails too', () => {
    const { message } = result.test('mocks')
    expect(message).toContain('Lost update on balance: withdraw#2 wrote 20 from a value read before')
    expect(message).toContain('the plain order fails as well')
  })

  test('the verdict names what stood for I/O', () => {
    expect(result.test('mocks').dpor).toMatchObject({ standIns: ['mock this.bank.read', 'mock this.bank.write'] })
    expect(result.test('microtasks are in no other order').dpor).toMatchObject({ standIns: [] })
    expect(result.output).toMatch(/awaits of the test file .* switches at 'event-loop' \(I\/O: awaits in account\.spec\.ts\)/)
    expect(result.output).toMatch(/microtasks are in no other order .* \(I\/O: none seen\)/)
  })

  test('schedules replay, that of the plain run by its name', async () => {
    const folder = project('event-loop-replay', { ...files, 'vitest.config.ts': config(`{ interleave: 'event-loop' }`) })
    const { schedule } = result.test('mocks').dpor!
    const failing = await run(folder, '-t', 'mocks', '--', `--dpor.replay=${String(schedule)}`)
    expect(failing.test('mocks').message).toContain('Lost update on balance')
    expect(result.test('a failure of the plain run').dpor).toMatchObject({ schedule: 'plain' })
    const plain = await run(folder, '-t', 'a failure of the plain run', '--', '--dpor.replay=plain')
    expect(plain.test('a failure of the plain run').message).toContain("expected [ 'second', 'first' ]")
  })

  test('files that the option io names are the ones whose awaits count', async () => {
    const named = await run(project('event-loop-io', { ...files, 'vitest.config.ts': config(`{ interleave: 'event-loop', io: 'bank.ts' }`) }))
    expect(named.test('microtasks are in no other order').dpor).toMatchObject({ verdict: 'fails', standIns: ['awaits in bank.ts'] })
    expect(named.test('fakes that await nothing').dpor).toMatchObject({ verdict: 'fails', standIns: ['functions in bank.ts'] })
    expect(named.test('awaits of the test file').dpor).toMatchObject({ standIns: [] })
  })

  test.each(['microtasks are in no other order', 'a timer comes after answers'])('%s', (name) => {
    expect(result.test(name).dpor).toMatchObject({ verdict: 'holds' })
  })
})
