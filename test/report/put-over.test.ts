import { describe, expect, test } from 'vitest'
import { headlineOf, madeOf } from './executed.ts'

const testFile = '/app/test.spec.cjs'

const ofPackage = (name: string, code: string): unknown => madeOf(code, `/app/node_modules/${name}/index.cjs`)

const modes = ['await', 'event-loop'] as const

describe('what two put where a package takes it from', () => {
  const client = ofPackage(
    'client',
    `return (send) => ({
      defaults: { token: undefined, last: undefined },
      async get(url) { const request = { url, token: this.defaults.token }; this.defaults.last = url; await null; return send(request, () => this.defaults.last) },
    })`,
  )

  test.each(modes)('is told where the second one has put it over that of the first: %s', async (interleave) => {
    const text = await headlineOf(
      `const api = client(async (request) => request.token)
      const profileOf = async (token) => { api.defaults.token = token; await null; return api.get('/me') }
      const [one, two] = await Promise.all([profileOf('ann'), profileOf('bob')])
      if (one !== 'ann' || two !== 'bob') throw new Error(one + ' and ' + two)`,
      { given: { client }, testFile, interleave },
    )
    expect(text).toMatch(/^Last write wins on defaults\.token: profileOf#2 wrote "bob" over the "ann" of profileOf#1, which then read "bob"\./)
  })

  test('is not what the package puts there itself for each of its calls', async () => {
    const text = await headlineOf(
      `let total = 0
      const api = client(async (request, last) => { last(); return request.url.length })
      const add = async (url) => { const before = total; total = before + await api.get(url) }
      await Promise.all([add('/a'), add('/bc')])
      if (total !== 5) throw new Error('lost')`,
      { given: { client }, testFile },
    )
    expect(text).toMatch(/^Lost update on total: /)
  })
})

describe('who leaves there what is there, as it is what it would put there', () => {
  const validating = (checks: string): string => `const form = { errors: '', name: '' }
    const show = (errors) => { ${checks} }
    const ask = async (name) => { await null; return name === 'john' ? 'taken' : '' }
    const change = async (name) => { form.name = name; show(await ask(name)) }
    await Promise.all([change('john'), change('jane')])
    if (form.errors !== '') throw new Error(form.errors)`

  test.each(['await'] as const)('has come before the older answer, which is the last write: %s', async (interleave) => {
    const text = await headlineOf(validating('if (form.errors !== errors) form.errors = errors'), { interleave })
    expect(text).toMatch(/^Last write wins on form\.errors: change#1 wrote "taken" over the "" that change#2 had left there\./)
  })

  test('has not, where it would not put anything there later either', async () => {
    const text = await headlineOf(
      `const job = { state: 'idle' }
      const step = async (next) => { await null; if (job.state === 'idle' && next !== '') job.state = next; return job.state }
      const [state] = await Promise.all([step(''), step('running')])
      if (state !== 'running') throw new Error(state)`,
    )
    expect(text).not.toMatch(/^Last write wins/)
    expect(text).toMatch(/ on job\.state: /)
  })
})

describe('an entry that both make', () => {
  const cacheOf = (put: string): unknown =>
    ofPackage(
      'cache',
      `return () => ({
        items: {},
        async get(key) { if (Object.hasOwn(this.items, key)) return this.items[key].value },
        async set(key, value) { if (Object.hasOwn(this.items, key)) { const item = this.items[key]; ${put} } else this.items[key] = { key, value, hits: 1 } },
      })`,
    )
  const body = `let asked = 0
    const tokens = cache()
    const tokenOf = async (id) => { const kept = await tokens.get(id); if (kept) return kept; await null; const token = 'token' + ++asked; await tokens.set(id, token); return token }
    await Promise.all([tokenOf(7), tokenOf(7)])
    if (asked !== 1) throw new Error('asked twice')`

  test.each(modes)('is initialised twice, though the second one finds it by then and puts its own value into that: %s', async (interleave) => {
    const text = await headlineOf(body, { given: { cache: cacheOf('item.value = value') }, testFile, interleave })
    expect(text).toMatch(/^Double initialisation on tokens \(its items\[7\]\): /)
  })

  test('is not, where the second one only counts that it has found it', async () => {
    const text = await headlineOf(body, { given: { cache: cacheOf('item.hits = item.hits + 1') }, testFile })
    expect(text).not.toMatch(/^Double initialisation/)
  })
})

describe('a state of the test from which the next one is made', () => {
  const editor = (last: string): string => `const editor = { doc: { title: '', tags: [] }, past: [] }
    const apply = async (change) => { await null; const next = change(editor.doc); await null; editor.past.push(editor.doc); editor.doc = next }
    await Promise.all([apply((doc) => ({ ...doc, title: 'Race' })), apply((doc) => ({ ...doc, tags: ['new'] }))])
    ${last}`

  test('is a lost update, also where it was looked at once more for something else, and at the failing line', async () => {
    const text = await headlineOf(editor(`if (editor.doc.title === '' || editor.doc.tags.length === 0) throw Object.assign(new Error('lost'), { stack: 'Error: lost\\n    at ${testFile}:4:1' })`), { testFile })
    expect(text).toMatch(/^Lost update on editor\.doc: /)
  })

  test('is looked at too early where nothing is put there by that', async () => {
    const text = await headlineOf(
      `const editor = { doc: 'old', shown: [] }
      const save = async (doc) => { await null; editor.doc = doc }
      const show = async () => { await null; const { doc } = editor; await null; editor.shown.push(doc) }
      await Promise.all([show(), save('new')])
      if (editor.shown[0] !== editor.doc) throw Object.assign(new Error('old'), { stack: 'Error: old\\n    at ${testFile}:5:1' })`,
      { testFile },
    )
    expect(text).not.toMatch(/^Lost update/)
    expect(text).toMatch(/ on editor\.doc: /)
  })
})

describe('a number that is put back', () => {
  const boxes = ofPackage('boxes', `return (value) => ({ value, get() { return this.value }, set(next) { if (this.value !== next) { this.last = this.value; this.value = next } } })`)

  test.each(modes)('is lost for others, though the package looks again before it puts it there: %s', async (interleave) => {
    const text = await headlineOf(
      `const likes = boxes(0)
      const send = async (user) => { await null; if (user === 'ann') throw new Error('refused') }
      const like = async (user) => { await null; const before = likes.get(); likes.set(before + 1); try { await send(user) } catch { likes.set(before) } }
      await Promise.all([like('ann'), like('bob')])
      if (likes.get() !== 1) throw new Error('lost')`,
      { given: { boxes }, testFile, interleave },
    )
    expect(text).toMatch(/^Lost update on likes\.value: like#1 wrote 0 from a value read before like#2 wrote 2\./)
  })

  test('is no loss where it is what was found less what had been added', async () => {
    const text = await headlineOf(
      `const active = boxes(0)
      let most = 0
      const visit = async () => { await null; active.set(active.get() + 1); most = Math.max(most, active.get()); await null; active.set(active.get() - 1) }
      await Promise.all([visit(), visit()])
      if (most > 1) throw new Error('two at once')`,
      { given: { boxes }, testFile },
    )
    expect(text).not.toMatch(/^Lost update/)
  })
})

describe('what the assertion has missed', () => {
  const failing = (found: string, missed: string): string => `throw Object.assign(new Error('expected'), { actual: '${found}', expected: '${missed}' })`
  const session = ofPackage('session', `return (stored, fresh) => { const own = { token: null }; own.restored = stored().then((token) => { own.token = token }); own.renew = () => { own.token = fresh() }; own.get = async () => { if (own.token) return own.token; own.token = fresh(); return own.token }; return own }`)

  test('is put there too late, and not over anything', async () => {
    const text = await headlineOf(
      `const own = session(async () => { await null; return 'stored' }, () => 'fresh')
      const request = async () => { await null; await null; return own.get() }
      const token = await request()
      if (token !== 'stored') ${failing('fresh', 'stored')}`,
      { given: { session }, testFile },
    )
    expect(text).toMatch(/^Order violation on own\.token: .* read null before .* wrote "stored"\./)
  })

  test('is overwritten where what it has found came last', async () => {
    const text = await headlineOf(
      `const own = session(async () => { await null; return 'stored' }, () => 'fresh')
      const signIn = async () => { await null; await null; own.renew() }
      await Promise.all([signIn(), own.restored])
      if (own.token !== 'fresh') ${failing('stored', 'fresh')}`,
      { given: { session }, testFile },
    )
    expect(text).toMatch(/^Last write wins on own\.token: /)
  })
})

describe('a count that goes on', () => {
  test('is not overwritten by who counts on after another one', async () => {
    const store = ofPackage('store', `let stamp = 0; return () => { const rows = {}; return { put(key, value) { rows[key] = { value, at: ++stamp } }, get: (key) => ({ ...rows[key], now: ++stamp }) } }`)
    const text = await headlineOf(
      `const rows = store()
      const write = async (value) => { rows.get('a'); await null; rows.put('a', value) }
      await Promise.all([write('old'), write('new')])
      if (rows.get('a').value !== 'old') throw new Error('new')`,
      { given: { store }, testFile },
    )
    expect(text).not.toMatch(/ on stamp/)
  })
})

describe('a property behind which a package keeps a small number', () => {
  const observed = ofPackage(
    'observed',
    `const state = { depth: 0 }
    class Box { constructor(value) { this.kept = value } }
    return {
      batch(run) { state.depth++; run(); state.depth-- },
      observe(object) {
        for (const key of Object.keys(object)) {
          const box = new Box(object[key])
          Object.defineProperty(object, key, { get: () => box.kept, set(next) { state.depth++; if (box.kept !== next) box.kept = next; state.depth-- } })
        }
        return object
      },
    }`,
  )

  test('goes by its name, though other numbers of the package are the same at times', async () => {
    const text = await headlineOf(
      `const post = observe({ likes: 0 })
      const like = async () => { await null; const before = post.likes; await null; batch(() => { post.likes = before + 1 }) }
      await like()
      await Promise.all([like(), like()])
      if (post.likes !== 3) throw new Error('lost')`,
      { given: observed as object, testFile },
    )
    expect(text).toMatch(/^Lost update on post\.likes: /)
  })
})

test('an object that a package has made and never looks at goes by what the user keeps it in', async () => {
  const emitter = ofPackage('emitter', `return () => { const all = new Map(); return { on(type, listener) { all.set(type, listener) }, emit(type, event) { all.get(type)(event) } } }`)
  const text = await headlineOf(
    `const socket = emitter()
    let heard
    socket.on('message', () => { heard = socket.user })
    const connect = async () => { await null; socket.user = 'ann' }
    const network = async () => { await null; socket.emit('message') }
    await Promise.all([network(), connect()])
    if (heard !== 'ann') throw new Error('nobody')`,
    { given: { emitter }, testFile },
  )
  expect(text).toMatch(/^Order violation on socket\.user: network#1 read undefined before connect#1 wrote "ann"\./)
})

describe('what a package shows of a state, and brings up to date with it', () => {
  const field = (changes: string): unknown =>
    ofPackage(
      'field',
      `return (check) => {
        const state = { errors: [] }
        let shown = []
        const show = (errors) => { if (JSON.stringify(shown) !== JSON.stringify(errors)) shown = errors }
        const put = (errors) => { ${changes} }
        return { async validate(value) { put(await check(value)) }, errors: () => shown }
      }`,
    )
  const body = `const check = async (name) => { await null; return name === 'john' ? ['taken'] : [] }
    const name = field(check)
    await Promise.all([name.validate('john'), name.validate('jane')])
    const errors = name.errors()
    if (errors.length > 0) throw Object.assign(new Error('taken'), { actual: errors, expected: [] })`

  test('is told by the state', async () => {
    const text = await headlineOf(body, { given: { field: field('if (state.errors !== errors) state.errors = errors; show(state.errors)') }, testFile })
    expect(text).toMatch(/^Last write wins on state\.errors: /)
  })

  test('and where there is no other, by what is shown', async () => {
    const text = await headlineOf(body, { given: { field: field('show(errors)') }, testFile })
    expect(text).toMatch(/^Last write wins on (?:shown|name\.errors\(\)\[0\]): validate#1 wrote .*"taken".* over the .* that validate#2 had left there\./)
  })
})

describe('two parts of what a package keeps', () => {
  test('of one list are no skew: who takes from its end by an old look at it has checked that', async () => {
    const text = await headlineOf(
      `const jobs = ['a', 'b']
      const drop = async (index, other) => { const kept = jobs[index]; await null; if (kept !== undefined) { jobs[other] = undefined } }
      await Promise.all([drop(0, 1), drop(1, 0)])
      if (!jobs[0] && !jobs[1]) throw new Error('both')`,
      { testFile },
    )
    expect(text).toMatch(/^Check-then-act on jobs\[\d\]: /)
  })

  test('of one object are', async () => {
    const text = await headlineOf(
      `const jobs = { a: 'a', b: 'b' }
      const drop = async (one, other) => { const kept = jobs[one]; await null; if (kept !== undefined) { jobs[other] = undefined } }
      await Promise.all([drop('a', 'b'), drop('b', 'a')])
      if (!jobs.a && !jobs.b) throw new Error('both')`,
      { testFile },
    )
    expect(text).toMatch(/^Write skew on jobs\.[ab]: /)
  })
})

describe('names of what packages keep', () => {
  test('for an object of the user say for which', async () => {
    const atoms = ofPackage(
      'atoms',
      `return {
        atom: (first) => ({ first }),
        createStore() {
          const states = new WeakMap()
          const stateOf = (atom) => { if (!states.has(atom)) states.set(atom, { v: atom.first }); const state = states.get(atom); return state }
          return { get: (atom) => stateOf(atom).v, set(atom, value) { stateOf(atom).v = value } }
        },
      }`,
    )
    const text = await headlineOf(
      `const countAtom = atoms.atom(0)
      const store = atoms.createStore()
      const add = async () => { const count = store.get(countAtom); await null; store.set(countAtom, count + 1) }
      await Promise.all([add(), add()])
      if (store.get(countAtom) !== 2) throw new Error('lost')`,
      { given: { atoms }, testFile },
    )
    expect(text).toMatch(/^Lost update on countAtom \(its v\): /)
  })

  const shortened = (name: string): unknown =>
    ofPackage(
      'shortened',
      `return class {
        constructor() { this.bindings = new Map() }
        bind(key, make) { let ${name}; const own = () => ${name}; ${name} = { cache: undefined, make }; own(); this.bindings.set(key, own()) }
        async get(key) {
          const kept = this.bindings.get(key)
          return kept.cache ?? kept.make().then((value) => { kept.cache = { value }; return kept.cache })
        }
      }`,
    )
  const body = `let made = 0
    const container = new Container()
    container.bind('db', async () => { made++; await null; return made })
    await Promise.all([container.get('db'), container.get('db')])
    if (made !== 1) throw new Error('made twice')`

  test.each([
    ['e', 'bindings.get("db").cache'],
    ['binding', 'binding.cache'],
  ])('are those of the objects and keys in which they are kept, where that of a variable says nothing: %s', async (variable, name) => {
    const text = await headlineOf(body, { given: { Container: shortened(variable) }, testFile })
    expect(text.slice(0, 100)).toContain(`Double initialisation on ${name}: `)
  })
})

test.each([
  ['the same several times is told once', 'next', 2],
  ['something else each time is told each time', 'next + i', 4],
])('what a package puts there for one line: %s', async (_, value, rows) => {
  const proxies = ofPackage('proxies', `return (target) => new Proxy(target, { set(object, key, next) { for (let i = 2; i >= 0; i--) object[key] = ${value}; return true } })`)
  const text = await headlineOf(
    `const cart = proxies({ total: 0 })
    const add = async (price) => { const before = cart.total; await null; cart.total = before + price }
    await Promise.all([add(3), add(4)])
    if (cart.total !== 7) throw new Error('lost')`,
    { given: { proxies }, testFile },
  )
  expect(text).toMatch(/^Lost update on \w+\.total: /)
  const [story] = text.split('Every order fails')
  expect(story!.match(/ (?:write|update) total /g)).toHaveLength(rows)
})
