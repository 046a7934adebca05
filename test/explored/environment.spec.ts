import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { explore } from 'vitest-dpor'
import { flush, knownQuery, post, queryAllByText, render, setUpEnvironment, Signal } from './uninstrumented/environment.ts'
import { outcomes } from './uninstrumented/outcomes.ts'

interface Node {
  textContent: string
  readonly parentNode: Node | undefined
  append(child: Node): void
  querySelector(text: string): Node | undefined
  addEventListener(type: string, listener: () => void): void
  click(): void
}
interface Page extends Node {
  createElement(): Node
}

declare function addEventListener(type: string, listener: () => void): void

const page = (): Page => (globalThis as unknown as { document: Page }).document

const both = (...tasks: (() => unknown)[]) => Promise.all(tasks.map(async (task) => (await null, task())))

describe('a test environment is one thing: elements lead to each other', () => {
  let takeOff: () => void
  beforeAll(() => {
    takeOff = setUpEnvironment()
  })
  afterAll(() => takeOff())

  const changes: Record<string, (parent: Node, child: Node) => unknown> = {
    'a setter of a child': (_, child) => void (child.textContent = 'b'),
    'a method of the parent': (parent) => {
      const other = page().createElement()
      other.textContent = 'b'
      parent.append(other)
    },
    'a renderer': (_, child) => render(child)('b'),
  }
  test.each(Object.entries(changes))('%s, and the text of the parent', async (_, change) => {
    const { verdict, seen, executions } = await outcomes(async () => {
      const [parent, child] = [page().createElement(), page().createElement()]
      child.textContent = 'a'
      parent.append(child)
      const [, text] = await both(() => change(parent, child), () => parent.textContent)
      return (text as string).length + (text === 'b' ? 1 : 0)
    })
    expect({ verdict, seen, executions }).toEqual({ verdict: 'holds', seen: ['1', '2'], executions: 2 })
  })

  describe('a query of a testing library', () => {
    const withChild = (): readonly [parent: Node, child: Node] => {
      const [parent, child] = [page().createElement(), page().createElement()]
      child.textContent = 'a'
      parent.append(child)
      return [parent, child]
    }
    const query = knownQuery as unknown as (container: Node, text: string | ((found: string) => boolean)) => Node[]

    test('looks at the document', async () => {
      const { verdict, seen } = await outcomes(async () => {
        const [parent, child] = withChild()
        const [, found] = await both(() => void (child.textContent = 'b'), () => query(parent, 'b').length)
        return found
      })
      expect({ verdict, seen }).toEqual({ verdict: 'holds', seen: ['0', '1'] })
    })

    test('and changes nothing, as another function of theirs may do', async () => {
      const twice = async (find: typeof query): Promise<number> => {
        const { executions } = await explore(async () => {
          const [parent] = withChild()
          await both(() => find(parent, 'a'), () => find(parent, 'a'))
        })
        return executions
      }
      expect([await twice(query), await twice(queryAllByText as unknown as typeof query)]).toEqual([1, 2])
    })

    test('what it is to call is told', async () => {
      const { verdict, seen } = await outcomes(async () => {
        const [parent] = withChild()
        let wanted = 'b'
        const [, found] = await both(() => void (wanted = 'a'), () => query(parent, (text) => text === wanted).length)
        return found
      })
      expect({ verdict, seen }).toEqual({ verdict: 'holds', seen: ['0', '1'] })
    })
  })

  test('what an execution has listen to the document does not outlive it', async () => {
    let calls = 0
    const log = { calls: 0 }
    const window = globalThis as unknown as Node
    const { verdict, executions, seen } = await outcomes(async () => {
      page().addEventListener('click', () => calls++)
      window.addEventListener('click', () => log.calls++)
      await both(() => page().click(), () => page().click())
      return [calls, log.calls]
    })
    expect({ verdict, executions, seen }).toEqual({ verdict: 'holds', executions: 2, seen: ['[2,2]'] })
    page().click()
    expect(calls).toBe(0)
  })

  test('nor does what it has listen to the window by its bare name', async () => {
    const heard: number[] = []
    const log = { calls: 0 }
    let started = 0
    const { verdict, seen } = await outcomes(async () => {
      const own = ++started
      addEventListener('click', () => {
        heard.push(own)
        log.calls++
      })
      await both(() => page().click(), () => page().click())
      return [log.calls, heard.length]
    })
    expect({ verdict, seen }).toEqual({ verdict: 'holds', seen: ['[2,2]'] })
    page().click()
    expect(heard).toEqual([])
  })

  test('two looks share nothing', async () => {
    const { verdict, executions } = await outcomes(async () => {
      const parent = page().createElement()
      return both(() => parent.textContent, () => parent.querySelector('a'), () => parent.parentNode)
    })
    expect({ verdict, executions }).toEqual({ verdict: 'holds', executions: 1 })
  })

  test('an element that an assertion looks at', async () => {
    const { seen } = await outcomes(async () => {
      const element = page().createElement()
      const [, result] = await both(
        () => void (element.textContent = 'b'),
        () => {
          try {
            expect(element).toHaveProperty('textContent', '')
            return 'empty'
          } catch {
            return 'filled'
          }
        },
      )
      return result
    })
    expect(seen).toEqual(['"empty"', '"filled"'])
  })
})

describe('work that is posted to the event loop where nobody sees it', () => {
  test('comes when nothing else can run', async () => {
    const { verdict, seen } = await outcomes(async () => {
      const log: string[] = []
      const write = async (line: string) => {
        await null
        log.push(line)
      }
      void write('a')
      void write('b')
      await flush()
      return log.join()
    })
    expect({ verdict, seen }).toEqual({ verdict: 'holds', seen: ['"a,b"', '"b,a"'] })
  })

  test('and before time passes', async () => {
    const { verdict, seen } = await outcomes(async () => {
      let isDone = false
      post(() => (isDone = true))
      await new Promise((resolve) => setTimeout(resolve, 1))
      return isDone
    })
    expect({ verdict, seen }).toEqual({ verdict: 'holds', seen: ['true'] })
  })
})

test('async functions that begin in such work are named', async () => {
  const body = async () => {
    const told = async () => void (await null)
    post(() => void told())
    await flush()
  }
  expect(await explore(body)).toMatchObject({ verdict: 'holds', outside: ['told'] })
  expect((await explore(async () => void (await flush()))).outside).toEqual([])
})

test('what a setter that is not instrumented changed is put back', async () => {
  const older = new Signal(0)
  const { verdict, seen } = await outcomes(async () => {
    const add = () => older.value++
    await both(add, add)
    return older.value
  })
  expect({ verdict, seen, value: older.value }).toEqual({ verdict: 'holds', seen: ['2'], value: 0 })
})

test('variables of a function that such code has called between two steps have the same names in each execution', async () => {
  const seen: number[][] = []
  const { verdict, executions } = await explore(async () => {
    let count: (() => number) | undefined
    const counts: number[] = []
    post(() => {
      let n = 0
      count = () => ++n
    })
    await flush()
    await both(() => counts.push(count!()), () => counts.push(count!()))
    seen.push(counts)
  })
  expect({ verdict, executions }).toEqual({ verdict: 'holds', executions: 2 })
  for (const counts of seen) expect(counts).toEqual([1, 2])
})
