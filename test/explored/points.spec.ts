import { describe, expect, test } from 'vitest'
import { at, dporTest, explore } from 'vitest-dpor'
import { outcomes } from './uninstrumented/outcomes.ts'

class Account {
  balance = 100

  async withdraw(amount: number, name = 'written'): Promise<void> {
    const { balance } = this
    await at('read')
    this.balance = balance - amount
    await at(name)
  }
}

const twice = (check: (account: Account) => void = () => {}) => async () => {
  const account = new Account()
  await Promise.all([account.withdraw(10), account.withdraw(20)])
  check(account)
}

const isRight = ({ balance }: Account): void => expect(balance).toBe(70)

describe.each(['await', 'event-loop'] as const)('points of %s', (interleave) => {
  test('are passed at once where no order is asked for', async () => {
    const { verdict, inconclusiveReason } = await explore(twice(), { interleave })
    expect({ verdict, inconclusiveReason }).toEqual({ verdict: 'holds', inconclusiveReason: undefined })
  })

  test('come in the order that is asked for, which forces the failure', async () => {
    const { verdict, failures } = await explore(twice(isRight), { interleave, order: ['read', 'read', 'written', 'written'] })
    expect(verdict).toBe('fails')
    expect(failures[0]!.execution).toBe(1)
    const replayed = await explore(twice(isRight), { interleave, ...(interleave === 'event-loop' && { order: ['read', 'read', 'written', 'written'] }), replay: failures[0]!.schedule })
    expect(replayed.verdict).toBe('fails')
  })

  test('or keeps it away, which is no proof', async () => {
    const body = async () => {
      const account = new Account()
      const second = async () => {
        await at('begun')
        await account.withdraw(20, 'second')
      }
      await Promise.all([account.withdraw(10, 'first'), second()])
      isRight(account)
    }
    expect(await explore(body, { interleave: 'await' })).toMatchObject({ verdict: 'fails' })
    expect(await explore(body, { interleave, order: ['first', 'begun'] })).toMatchObject({
      verdict: 'inconclusive',
      inconclusiveReason: "order; holds for every interleaving that passes 'first', 'begun' in this order",
    })
  })

  test('that cannot come so have no execution', async () => {
    expect(await explore(twice(), { interleave, order: ['written', 'read', 'read'] })).toMatchObject({
      verdict: 'inconclusive',
      executions: 0,
      inconclusiveReason: "order: no execution passes 'written', 'read', 'read' in this order",
    })
  })
})

test('every execution that passes them so is explored, and no other', async () => {
  const body = async () => {
    const log: string[] = []
    const task = (name: string) => async () => {
      await null
      log.push(`${name}1`)
      await at(name)
      log.push(`${name}2`)
    }
    await Promise.all([task('a')(), task('b')()])
    return log.join(' ')
  }
  const all = (await outcomes(body)).seen
  expect(all).toHaveLength(6)
  const inOrder = all.filter((log) => log.indexOf('a2') < log.indexOf('b2'))
  expect((await outcomes(body, { order: ['a', 'b'] })).seen).toEqual(inOrder)
})

test('outside an exploration a point is an await of nothing', async () => {
  await expect(at('anywhere')).resolves.toBeUndefined()
})

test('what fails for another reason fails, however far it came', async () => {
  const body = async () => {
    await at('first')
    throw new Error('no')
  }
  expect(await explore(body, { order: ['first', 'second'] })).toMatchObject({ verdict: 'fails' })
})

dporTest('an order is an option of a test', { order: ['read', 'read', 'written', 'written'], onInconclusive: 'pass' }, async () => {
  const account = new Account()
  await Promise.all([account.withdraw(10), account.withdraw(20)])
  expect(account.balance).not.toBe(70)
})
