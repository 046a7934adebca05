import { dporTest, explore } from '../../src/index.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { hearing, providePage } from './uninstrumented/page.ts'

interface Store {
  getItem(name: string): string | null
  setItem(name: string, value: string): void
  removeItem(name: string): void
  clear(): void
  key(index: number): string | null
}

declare const localStorage: Store
declare const sessionStorage: Store
declare const document: { cookie: string }
declare const history: { replaceState(state: unknown, unused: string, url: string): void }
declare const customElements: { define(name: string, element: unknown): void }
declare const location: { readonly href: string }

beforeAll(providePage)

const visit = async (name: string): Promise<void> => {
  const visits = Number(localStorage.getItem(name) ?? 0)
  await null
  localStorage.setItem(name, String(visits + 1))
}

describe('what is stored by name', () => {
  test('is lost where two look before either writes', async () => {
    const { verdict } = await explore(async () => {
      await Promise.all([visit('n'), visit('n')])
      expect(localStorage.getItem('n')).toBe('2')
    })
    expect(verdict).toBe('fails')
  })

  dporTest('is independent of what has another name', async () => {
    await Promise.all([visit('a'), visit('b')])
    expect([localStorage.getItem('a'), localStorage.getItem('b')]).toEqual(['1', '1'])
  })

  const orders = async (one: () => void, other: () => unknown): Promise<number> => {
    const body = async (): Promise<unknown> => {
      localStorage.setItem('there', 'before')
      const act = async (): Promise<void> => { await null; one() }
      const look = async (): Promise<unknown> => { await null; return other() }
      return (await Promise.all([act(), look()]))[1]
    }
    return (await explore(body)).executions
  }

  test.each([
    ['another name', () => localStorage.setItem('x', '1'), () => localStorage.getItem('y'), 1],
    ['the other store', () => localStorage.setItem('x', '1'), () => sessionStorage.getItem('x'), 1],
    ['the same name', () => localStorage.setItem('x', '1'), () => localStorage.getItem('x'), 2],
    ['what goes', () => localStorage.removeItem('there'), () => localStorage.getItem('there'), 2],
    ['what all goes with', () => localStorage.clear(), () => localStorage.getItem('there'), 2],
    ['which names there are', () => localStorage.setItem('x', '1'), () => localStorage.key(1), 2],
    ['a property', () => localStorage.setItem('x', '1'), () => (localStorage as unknown as Record<string, string>).x, 2],
    ['an assignment', () => { (localStorage as unknown as Record<string, string>).x = '1' }, () => localStorage.getItem('x'), 2],
    ['all of it', () => localStorage.setItem('there', '1'), () => JSON.stringify(localStorage), 2],
  ])('has as many orders as it takes: %s', async (_, one, other, expected) => {
    expect(await orders(one, other)).toBe(expected)
  })
})

dporTest('each execution finds what is stored, the cookies and the address as the first one did', async () => {
  expect([localStorage.getItem('seen'), document.cookie, location.href]).toEqual([null, '', 'http://localhost/'])
  localStorage.setItem('seen', 'yes')
  document.cookie = 'seen=yes'
  history.replaceState({ seen: true }, '', '/seen')
  const counter = { value: 0 }
  const bump = async (): Promise<void> => { const { value } = counter; await null; counter.value = value + 1 }
  await Promise.all([bump(), bump()])
})

test('what was stored before stays', async () => {
  localStorage.setItem('kept', 'before')
  await explore(async () => {
    localStorage.setItem('kept', 'within')
    localStorage.setItem('new', 'within')
    document.cookie = 'new=within'
    await null
  })
  expect([localStorage.getItem('kept'), localStorage.getItem('new'), document.cookie]).toEqual(['before', null, 'seen=yes'])
})

test('an element that a body defines stays, which is said', async () => {
  await expect(explore(() => customElements.define('user-card', class {}))).rejects.toThrow('it defines the element <user-card>, which stays defined')
})

dporTest('a function that is called beside all that is not asked for its name', async () => {
  const asked: string[] = []
  const call = hearing(asked)
  const box = { call }
  expect([call(), box.call()]).toEqual([1, 1])
  await null
  expect(asked).not.toContain('name')
})
