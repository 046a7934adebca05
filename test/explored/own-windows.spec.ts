import { dporTest, explore } from '../../src/index.ts'
import { describe, expect, test } from 'vitest'
import { openWindow, render } from './uninstrumented/own-window.ts'

const window = openWindow()
const { document, localStorage } = window

const visit = async (name: string): Promise<void> => {
  await null
  const visits = Number(localStorage.getItem(name) ?? 0)
  await null
  localStorage.setItem(name, String(visits + 1))
}

describe('what a window stores that is nowhere on the global object', () => {
  test('is lost where two look before either writes', async () => {
    const { verdict } = await explore(async () => {
      await Promise.all([visit('n'), visit('n')])
      expect(localStorage.getItem('n')).toBe('2')
    })
    expect(verdict).toBe('fails')
  })

  test('is independent of what has another name', async () => {
    const { verdict, executions } = await explore(() => Promise.all([visit('a'), visit('b')]))
    expect({ verdict, executions }).toEqual({ verdict: 'holds', executions: 1 })
  })

  test('is put back after each execution, and so is what is assigned', async () => {
    localStorage.setItem('older', 'as before')
    const items = localStorage as unknown as Record<string, string>
    const { verdict, executions } = await explore(async () => {
      expect([Object.keys(localStorage), items.older]).toEqual([['older'], 'as before'])
      await Promise.all([visit('n'), visit('n')])
      const visits = localStorage.getItem('n')
      items.assigned = 'yes'
      localStorage.removeItem('older')
      Object.assign(localStorage, { more: visits })
      return visits
    })
    expect({ verdict, isMore: executions > 1, left: { ...items } }).toEqual({ verdict: 'holds', isMore: true, left: { older: 'as before' } })
  })

  test('is looked at as a whole by who asks for its names', async () => {
    const { executions } = await explore(async () => {
      const count = async (): Promise<number> => {
        await null
        return Object.keys(localStorage).length
      }
      const store = async (): Promise<void> => {
        await null
        localStorage.setItem('new', '1')
      }
      return Promise.all([store(), count()])
    })
    expect(executions).toBe(2)
  })
})

describe('a document of such a window', () => {
  test('is put back after each execution', async () => {
    document.documentElement.setAttribute('lang', 'en')
    const { verdict, executions } = await explore(async () => {
      expect(document.documentElement.childNodes).toEqual([])
      const add = async (lang: string): Promise<void> => {
        const before = document.documentElement.getAttribute('lang')
        await null
        document.documentElement.setAttribute('lang', `${before} ${lang}`)
        document.documentElement.append(document.createElement())
      }
      await Promise.all([add('de'), add('fr')])
    })
    expect({ verdict, isMore: executions > 1 }).toEqual({ verdict: 'holds', isMore: true })
    expect([document.documentElement.getAttribute('lang'), document.documentElement.childNodes.length]).toEqual(['en', 0])
  })

  test('may be changed by code that is not instrumented, though the window is met later', async () => {
    const root = document.documentElement
    const { executions } = await explore(async () => {
      const draw = async (): Promise<void> => {
        await null
        render(root, 'drawn')
      }
      const look = async (): Promise<string | null> => {
        await null
        return root.getAttribute('text')
      }
      return Promise.all([draw(), look()])
    })
    expect(executions).toBe(2)
  })

  dporTest('calls no listener of an execution that is over', async () => {
    const heard: string[] = []
    window.addEventListener('storage', (event) => heard.push(event))
    await Promise.all([visit('n'), visit('n')])
    window.dispatchEvent('storage')
    expect(heard).toEqual(['storage'])
  })
})
