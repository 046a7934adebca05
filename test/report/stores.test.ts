import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { investigated, madeOf } from './executed.ts'

const testFile = '/app/store.spec.cjs'

/** What is read first of a failure. */
async function headlineOf(code: string, given: object): Promise<string> {
  const { message } = await investigated(code, { given, testFile })
  return stripVTControlCharacters(message).replaceAll(/\s+/g, ' ')
}

const ofPackage = (name: string, code: string): unknown => madeOf(code, `/app/node_modules/${name}/index.cjs`)

const create = ofPackage(
  'store',
  `return (reducer, initial) => {
    let currentState = initial
    return { getState() { return currentState }, dispatch(action) { currentState = reducer(currentState, action) } }
  }`,
)

describe('what a store of a package has', () => {
  const posts = `let title = 'old'
    const store = create((state, { data }) => (data === undefined ? { ...state } : { post: data }), { post: undefined })
    const query = async () => { const found = title; await null; const action = { data: found }; isGot(action); store.dispatch(action) }
    const rename = async () => { title = 'new'; await null; const action = {}; isGot(action); store.dispatch(action); if (store.getState().post) await query() }
    await Promise.all([query(), rename()])
    if (store.getState().post !== 'new') throw new Error('shows ' + store.getState().post)`

  test('is told, and not what is remembered of the last call of a function', async () => {
    const memo = (rest: string): unknown =>
      ofPackage(
        'memo',
        `return ((make) => {
          let entry
          const get = (key) => (entry && entry.key === key ? entry.value : undefined)
          return (key) => { let value = get(key); if (value === undefined) { value = make(key); entry = { key, value } } return value${rest} }
        })(({ data }) => ({ is: data !== undefined }))`,
      )
    expect(await headlineOf(posts, { create, isGot: memo('') })).toMatch(/^Order violation on store\.getState\(\)\.post: rename#1 read undefined before query#1 wrote "old"\./)
  })

  test('is not overwritten by what is made of it', async () => {
    const log = (next: string): string => `const store = create((state, { name }) => (${next}), { names: '' })
      const add = async (name) => { await null; store.dispatch({ name }) }
      await Promise.all([add('a'), add('b')])
      if (!store.getState().names.endsWith('b')) throw new Error('not the last')`
    expect(await headlineOf(log('{ names: state.names + name }'), { create })).toMatch(/^Order violation on store\.getState\(\)\.names: add#1 wrote "ba" over the "b" of add#2\./)
    expect(await headlineOf(log('{ names: name }'), { create })).toMatch(/^Last write wins on store\.getState\(\)\.names: add#1 wrote "a" over the "b" of add#2\./)
  })
})

describe('what a test writes by a Proxy of a package', () => {
  const reactive = ofPackage(
    'reactive',
    `return (target, view) => {
      const component = { tree: undefined, count: 0 }
      const show = () => { component.tree = { text: target.user?.name }; view.text = component.tree.text }
      return new Proxy(target, { set(object, key, value, receiver) { const old = object[key]; const done = Reflect.set(object, key, value, receiver); if (old !== value) { component.count++; show() } return done } })
    }`,
  )
  const select = `const view = {}
    const store = reactive({ user: undefined }, view)
    const select = async (name) => { await null; store.user = { name } }
    await Promise.all([select('a'), select('b')])
    if (view.text !== 'b') throw new Error('shows ' + view.text)`

  test('is told, and not what the package does with it', async () => {
    const { message, explanation } = await investigated(select, { given: { reactive }, testFile, interleave: 'event-loop', io: () => 'awaits' })
    expect(stripVTControlCharacters(message).replaceAll(/\s+/g, ' ')).toMatch(/^Last write wins on \w+\.user: select#1 wrote \{"name":"a"\} over the \{"name":"b"\} of select#2\./)
    expect(explanation.alsoRacing).toEqual([])
  })
})

describe('what one writes over what another one wrote', () => {
  const last = (use: string): string => `
    const last = remember()
    let isNewest = false
    const ask = async (name) => { await null; last.note(name); if (name === 'b') isNewest = true; else if (isNewest) log.push(name) }
    const log = []
    await Promise.all([ask('a'), ask('b')])
    ${use}`
  const remember = ofPackage('remember', `return () => { let seen = { name: '' }; return { note(name) { if (seen.name !== name) seen = { name } }, get name() { return seen.name } } }`)

  test('in a package is told where somebody looks at it then', async () => {
    expect(await headlineOf(last(`if (last.name !== 'b') throw new Error('older')`), { remember })).toMatch(/^Last write wins on seen: /)
  })

  test('or is shown it at once', async () => {
    const telling = ofPackage('telling', `return (show) => { let seen = { name: '' }; return { note(name) { if (seen.name !== name) seen = { name }; show(seen) } } }`)
    const text = await headlineOf(
      `let shown
      const last = telling((seen) => { shown = seen.name })
      const ask = async (name) => { await null; last.note(name) }
      await Promise.all([ask('a'), ask('b')])
      if (shown !== 'b') throw new Error('older')`,
      { telling },
    )
    expect(text).toMatch(/^Last write wins on seen: /)
  })

  test('and not where nobody does', async () => {
    expect(await headlineOf(last(`if (log.length > 0) throw new Error('older')`), { remember })).not.toContain('on seen')
  })
})

describe('what a package does for a call that takes another way where it comes later', () => {
  const clientOf = (onError: string): unknown =>
    ofPackage(
      'client',
      `return (sign, send, refresh) => {
        const handlers = []
        let version = 0
        const get = (path, known = version) => Promise.resolve({ path }).then(sign).then(send).then((answer) => answer, (error) => { ${onError} })
        return get
      }`,
    )
  const requests = `let token = 'old'
    let refreshes = 0
    const sign = (request) => { request.token = token; return request }
    const send = async (request) => { await null; if (request.token !== 'new') throw new Error('401'); return 200 }
    const refresh = async () => { refreshes++; await null; token = 'new' }
    const get = client(sign, send, refresh)
    await Promise.all([get('/a'), get('/b')])
    if (refreshes !== 1) throw new Error('refreshed ' + refreshes + ' times')`
  const headlineByEvents = async (client: unknown): Promise<string> => {
    const { message } = await investigated(requests, { given: { client }, testFile, interleave: 'event-loop', io: ({ file }) => (file === testFile ? 'awaits' : 'nothing') })
    return stripVTControlCharacters(message).replaceAll(/\s+/g, ' ')
  }

  test('is not told in place of what it has looked at too early', async () => {
    const client = clientOf('const refreshed = refresh(); handlers.push({}); const id = handlers.length - 1; return refreshed.then(() => { if (handlers[id]) handlers[id] = null; return get() })')
    expect(await headlineByEvents(client)).toMatch(/^Order violation on token: \S+ read "old" before refresh#\d wrote "new"\./)
  })

  test('is told where that looks at it itself', async () => {
    const client = clientOf('if (version !== known) return get(); return refresh().then(() => { version = known + 1; return get() })')
    expect(await headlineByEvents(client)).toMatch(/^Check-then-act on version: /)
  })
})

describe('what a package checks and counts around what it does for the user', () => {
  /** A store that tracks the states it has had, to see whether anybody else has changed one. */
  const checked = ofPackage(
    'checked',
    `return (reducer, initial) => {
      let currentState = initial
      let tracked = { last: undefined, state: initial }
      const put = (next, last) => { currentState = next; tracked = { last, state: currentState } }
      const load = async (answer) => { const last = tracked; const name = await answer(); put(reducer(currentState, { name }), last) }
      const reset = async (name) => { await null; put(reducer(currentState, { name }), undefined) }
      return { getState() { return currentState }, load, reset }
    }`,
  )
  const loaded = (fails: string): string => `const store = checked((state, { name }) => ({ user: { name, log: [...state.user.log, name] } }), { user: { name: '', log: [] } })
    await Promise.all([store.load(async () => 'a'), store.reset('b')])
    if (${fails}) throw Object.assign(new Error('not the last'), { stack: 'at ${testFile}:3:9' })`

  test('is not told in place of the state at which the failing line looks, of which the part is told that it looks at', async () => {
    const headline = await headlineOf(loaded(`store.getState().user.name !== 'b'`), { checked })
    expect(headline).toMatch(/^Last write wins on store\.getState\(\)\.user\.name: load#1 wrote "a" over the "b" of reset#1\./)
    expect(headline).toContain('update store.getState().user.name "" -> "b"')
  })

  test('nor is a part told that is made of what was there', async () => {
    expect(await headlineOf(loaded(`store.getState().user.log.join('') !== 'ab'`), { checked })).toMatch(/^Order violation on store\.getState\(\)\.user\.log: load#1 wrote \["b","a"\] over the \["b"\] of reset#1\./)
  })

  test('nor one alone where the failing line looks at several', async () => {
    expect(await headlineOf(loaded(`store.getState().user.name + store.getState().user.log.length !== 'b2'`), { checked })).toMatch(/^Order violation on store\.getState\(\)\.user: /)
  })

  /** A signal that tracks what it was set to, in short. */
  const signal = ofPackage(
    'signal',
    `return (value, show) => {
      const signal = { v: value }
      let tracked = { last: undefined, size: 0 }
      const put = (next, last) => {
        if (signal.v === next) return
        signal.v = next
        tracked = { last, size: next.length }
        return Promise.resolve().then(() => show(signal.v))
      }
      const set = async (next) => { await null; await put(next) }
      const update = async (make) => { const last = tracked; await put(await make(), last) }
      return { set, update }
    }`,
  )
  const searched = (failing: string): string => `let shown
    const { set, update } = signal('', (value) => { shown = { text: value } })
    await Promise.all([update(async () => 'found a'), set('found ab')])
    ${failing}`

  test('is not told in place of the value that the assertion shows', async () => {
    const failing = `if (shown.text !== 'found ab') throw Object.assign(new Error('older'), { actual: shown.text, expected: 'found ab' })`
    expect(await headlineOf(searched(failing), { signal })).toMatch(/^Last write wins on (?:v|\w+\.v): update#1 wrote "found a" over the "found ab" of set#1\./)
  })

  test('is not told in place of what the code under test does itself, nor is what the failing line looks at in a package', async () => {
    const count = madeOf('return (note) => { let n = 0; return async () => { const found = n; await null; n = found + 1; note(n) } }', '/app/count.cjs')
    const last = ofPackage('last', 'return () => { let seen = 0; return { note(n) { seen = n }, last() { return seen } } }')
    const failing = `const { note, last: get } = last()
      const add = count(note)
      await Promise.all([add(), add()])
      if (get() !== 2) throw Object.assign(new Error('lost'), { stack: 'at ${testFile}:4:9' })`
    expect(await headlineOf(failing, { count, last })).toMatch(/^Lost update on n: /)
  })
})
