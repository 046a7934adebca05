import { describe, expect, test } from 'vitest'
import { investigated, madeOf } from './executed.ts'

/** A package that keeps values for components, each in a place of its own, and calls the component again when one has changed. */
const hooks = madeOf(`
  let component, at = 0
  const cells = []
  let shown
  function show() {
    at = 0
    for (const cell of cells) { for (const change of cell.changes) cell.value = cell.reduce(cell.value, change); cell.changes.length = 0 }
    shown = component()
  }
  const give = (cell, change) => {
    cell.changes.push(change)
    show()
  }
  const use = (value, reduce) => {
    const cell = (cells[at++] ??= { value, reduce, changes: [] })
    return [cell.value, (cell.setter ??= give.bind(null, cell))]
  }
  return {
    useState: (value) => use(value, (before, change) => (typeof change === 'function' ? change(before) : change)),
    useReducer: (reduce, value) => use(value, reduce),
    mount(one) { component = one; cells.length = 0; show() },
    get shown() { return shown },
  }`, '/app/node_modules/hooks/index.cjs') as object

const told = async (code: string): Promise<string[]> => {
  const { explanation: { headline, rows } } = await investigated(`const { useState, useReducer, mount } = hooks; ${code}`, { given: { hooks } })
  return [headline, ...rows.map(({ text, place }) => `${place?.line}: ${text}`)]
}

test('what a package keeps for a component has the name of its variable, and is written where its setter is called', async () => {
  expect(await told(`
    const ask = async (text) => { await null; return text }
    mount(() => {
      const [found, setFound] = useState('')
      const find = async (text) => {
        const answer = await ask(text)
        setFound(answer)
      }
      return { found, find }
    })
    const { find } = hooks.shown
    await Promise.all([find('a'), find('ab')])
    if (hooks.shown.found !== 'ab') throw new Error(hooks.shown.found)`)).toEqual([
    'Last write wins on found (set by setFound): find#1 wrote "a" over the "ab" of find#2. Nothing recorded orders the two.',
    '7: write found = "ab"',
    '7: write found = "a"',
  ])
})

test('a function that has been made before looks at what there was then', async () => {
  expect(await told(`
    mount(() => {
      const [count, setCount] = useState(0)
      return { count, add: async () => {
        const next = count + 1
        await null
        setCount(next)
      } }
    })
    const { add } = hooks.shown
    await Promise.all([add(), add()])
    if (hooks.shown.count !== 2) throw new Error('lost')`)).toEqual([
    'The test threw; it fails in all 2 orders. Perhaps: Lost update on count (set by setCount): add#2 wrote 1 from a value read before add#1 wrote 1.',
    '5: read count -> 0',
    '5: read count -> 0',
    '7: write count = 1',
    '7: write count = 1',
  ])
})

describe('a function that looks only after another one has given it another value', () => {
  const shopping = (last: string): string => `
    mount(() => {
      const [list, setList] = useState([])
      return { list, add: async (text) => {
        await null
        setList([...list, text])
      } }
    })
    const { add } = hooks.shown
    ${last}`

  test('has what there was when it was made', async () => {
    expect(await told(shopping(`await Promise.all([add('milk'), add('bread')])
      if (hooks.shown.list.length !== 2) throw new Error('lost')`))).toEqual([
      'The test threw; it fails in all 2 orders. Perhaps: Lost update on list (set by setList): add#2 wrote ["bread"] from a value read before add#1 wrote ["milk"].',
      '6: update list [] -> ["milk"]',
      '6: update list [] -> ["bread"]',
    ])
  })

  test('has lost for certain what the assertion misses', async () => {
    const [headline] = await told(shopping(`await Promise.all([add('milk'), add('bread')])
      if (hooks.shown.list.length !== 2) throw Object.assign(new Error('lost'), { actual: hooks.shown.list, expected: ['milk', 'bread'] })`))
    expect(headline).toBe('Lost update on list (set by setList): add#2 wrote ["bread"] from a value read before add#1 wrote ["milk"]. It fails in all 2 orders.')
  })

  test('has lost nothing where it was made since', async () => {
    const [headline] = await told(shopping(`await add('milk')
      await hooks.shown.add('bread')
      throw Object.assign(new Error('other'), { actual: [], expected: ['milk'] })`))
    expect(headline).not.toContain('Lost update')
  })
})

test('what a reducer or a function makes of it is told by what it is given', async () => {
  expect(await told(`
    const load = async (id) => { await null; return id }
    mount(() => {
      const [state, dispatch] = useReducer((before, { user }) => ({ user }), { user: '' })
      return { state, open: (id) => load(id).then((user) => dispatch({ user })) }
    })
    const { open } = hooks.shown
    await Promise.all([open('ann'), open('bob')])
    if (hooks.shown.state.user !== 'bob') throw new Error(hooks.shown.state.user)`)).toEqual([
    'Last write wins on state (set by dispatch): load.then#1 dispatched {"user":"ann"} after load.then#2 dispatched {"user":"bob"}. Nothing recorded orders the two.',
    '5: dispatch {"user":"bob"} to state',
    '5: dispatch {"user":"ann"} to state',
  ])
  expect(await told(`
    mount(() => {
      const [list, setList] = useState('')
      return { list, add: async (text) => {
        await null
        setList((before) => before + text)
      } }
    })
    const { add } = hooks.shown
    await Promise.all([add('a'), add('b')])
    if (hooks.shown.list !== 'ab') throw new Error(hooks.shown.list)`)).toEqual([
    expect.stringMatching(/^Order violation on list \(set by setList\): add#1 called setList\(\(before\) => before \+ text\) after add#2 called setList/),
    expect.stringMatching(/^6: update list "" by setList/),
    expect.stringMatching(/^6: update list "b" by setList/),
  ])
})

test("a hook of the user's own is told of by what it rests on", async () => {
  const [headline, ...rows] = await told(`
    const useStored = (name) => {
      const [kept, setKept] = useState('')
      const store = (value) => setKept(name + value)
      return [kept, store]
    }
    mount(() => {
      const [found, setFound] = useStored('-')
      return { found, find: async (text) => { await null; setFound(text) } }
    })
    const { find } = hooks.shown
    await Promise.all([find('a'), find('ab')])
    if (hooks.shown.found !== '-ab') throw new Error(hooks.shown.found)`)
  expect(headline).toMatch(/^Last write wins on kept \(set by setKept\): find#1 wrote "-a" over the "-ab" of find#2\./)
  expect(rows).toEqual(['4: write kept = "-ab"', '4: write kept = "-a"'])
})

describe('a hook of a package', () => {
  const asyncHook = (take: string): unknown =>
    madeOf(`
      var read = (list) => list
      return (fn) => {
        ${take}
        return [state, (...args) => fn(...args).then((value) => { set({ value }) })]
      }`, '/app/node_modules/use-async/index.cjs', { react: hooks })

  const toldOfHook = async (use: unknown): Promise<string[]> => {
    const { explanation: { headline, rows } } = await investigated(`
      hooks.mount(() => {
        const [state, ask] = use(async (text) => { await null; return text })
        return { state, ask }
      })
      const { ask } = hooks.shown
      await Promise.all([ask('a'), ask('ab')])
      if (hooks.shown.state.value !== 'ab') throw new Error(hooks.shown.state.value)`, { given: { hooks, use } })
    return [headline, ...rows.map(({ text }) => text)]
  }

  test.each([
    ['by names', 'const [state, set] = react.useState({})'],
    ['by index', 'var _a = react.useState({}), state = _a[0], set = _a[1]'],
    ['by index, of a list made of it', 'var _a = read((0, react.useState)({}), 2), state = _a[0], set = _a[1]'],
    ['by index, of a list made of it later', 'var _s = (0, react.useState)({}), _t = read(_s, 2), state = _t[0], set = _t[1]'],
  ])('is told by the value that is kept for it, taken %s', async (_, take) => {
    expect(await toldOfHook(asyncHook(take))).toEqual(['Last write wins on state (set by set): then#1 wrote {"value":"a"} over the {"value":"ab"} of then#2. Nothing recorded orders the two.', 'write state = {"value":"ab"}', 'write state = {"value":"a"}'])
  })

  test('that only asks to be shown again is told by what it keeps itself', async () => {
    const [headline] = await toldOfHook(asyncHook(`
      const kept = (react.kept ??= { state: {} }), state = kept.state
      const [, again] = react.useState(0)
      const set = (value) => { kept.state = value; again({}) }`))
    expect(headline).toMatch(/^Last write wins on hooks \(its kept\.state\): then#1 wrote {"value":"a"} over the {"value":"ab"} of then#2\./)
  })
})
