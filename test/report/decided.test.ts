import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test, vi } from 'vitest'
import { knowMock, type RunOptions } from '../../src/runtime/index.ts'
import { headlineOf, investigated, madeOf } from './executed.ts'

describe('a look decides what is done by it, where that is not done in an order in which calls do not overlap', () => {
  const auction = (bid: string): string => `
    const auction = { highest: { user: '', amount: 0 } }, notify = async () => {}
    const bid = async (user, amount) => { ${bid}; await notify(); auction.highest = { user, amount } }
    await Promise.all([bid('ann', 20), bid('bob', 10)])
    if (auction.highest.amount !== 20) throw new Error('outbid by less')`

  test('then the later of two writes is one by a stale look', async () => {
    expect(await headlineOf(auction('if (amount <= auction.highest.amount) return'))).toMatch(
      /^Check-then-act on auction\.highest: bid#2 read \{"user":"","amount":0\}, then bid#1 wrote \{"user":"ann","amount":20\}, then bid#2 still wrote \{"user":"bob","amount":10\}\./,
    )
  })

  test('which it is not if it is made in any case', async () => {
    expect(await headlineOf(auction('if (amount < auction.highest.amount - 1000) return'))).toMatch(/^Last write wins on auction\.highest: /)
  })

  const server = (look: string): string => `
    const database = { open: true }, server = { closing: false }, asked = []
    const query = async () => { if (!database.open) throw new Error('closed'); return 'rows' }
    const authenticate = async () => { await null }
    const handle = async () => { ${look}; await authenticate(); return query() }
    const stop = async () => { server.closing = true; await null; database.open = false }
    await Promise.all([handle(), stop()])`

  test('who comes upon what another one has closed has looked too early whether it may', async () => {
    const text = await headlineOf(server("if (server.closing) return 'refused'"))
    expect(text).toMatch(/^Check-then-act on server\.closing: handle#1 read false, then stop#1 wrote true, then handle#1 still read database\.open -> false\./)
    expect(text).toContain('The test passes with 4 before 3')
  })

  test('and not if it would go on whatever it had found', async () => {
    expect(await headlineOf(server('asked.push(server.closing)'))).toMatch(/^Order violation on database\.open: handle#1 read false after stop#1 wrote false\./)
  })

  test('nor where it has not looked at all', async () => {
    expect(await headlineOf(server(''))).toMatch(/^Order violation on database\.open: /)
  })
})

describe('where calls that run one after the other fail as well', () => {
  const form = (submit: string, check: string): string => `
    const form = { submitting: false, errors: [] }, posts = { count: 0 }
    const validate = async () => [], post = async () => { await null; posts.count++ }
    const submit = async () => { ${submit} }
    await Promise.all([submit(), submit()])
    ${check}`
  const once = "if (posts.count !== 1) throw new Error('posted twice')"

  test('a check is stale if the test passes where the other call begins in its midst, though what it looked at is as it was by the end', async () => {
    const error = await investigated(form('if (form.submitting) return; form.errors = await validate(); form.submitting = true; await post(); form.submitting = false', once))
    expect(error.explanation).toMatchObject({ kind: 'check-then-act', failing: { sequentially: 'later' } })
    expect(error.explanation.headline).toMatch(/^Check-then-act on form\.submitting: submit#2 read false, then submit#1 wrote true, then submit#2 still wrote true\./)
    expect(stripVTControlCharacters(error.message).replaceAll(/\s+/g, ' ')).toContain('Every order fails; the test passes when one of its calls begins in the midst of another one.')
  })

  test('it is no race where none of that passes', async () => {
    const text = await headlineOf(form('form.errors = await validate(); form.submitting = true; await post(); form.submitting = false', once))
    expect(text).toMatch(/^The test threw; no race decides it: it fails in /)
  })

  test('nor where the test asks for what cannot be', async () => {
    const text = await headlineOf(form('if (form.submitting) return; form.errors = await validate(); form.submitting = true; await post(); form.submitting = false', "if (posts.count < 3) throw new Error('not three')"))
    expect(text).toMatch(/^The test threw; no race decides it: it fails in /)
  })
})

describe('what is found again', () => {
  const connection = (after: string): string => `
    const connection = { wanted: false, socket: undefined }, open = { count: 0 }
    const dial = async () => { open.count++; return { close: () => { open.count-- } } }
    const connect = async () => {
      connection.wanted = true
      while (connection.wanted && !connection.socket) connection.socket = await dial()
      ${after}
    }
    const disconnect = async () => { connection.wanted = false; connection.socket?.close(); connection.socket = undefined }
    await Promise.all([connect(), disconnect()])`

  test('is no act if nothing else comes of it', async () => {
    expect(await headlineOf(connection('') + "; if (open.count > 0) throw new Error('left open')")).toMatch(
      /^Check-then-act on connection\.wanted: connect#1 read true, then test wrote false, then connect#1 still wrote connection\.socket = /,
    )
  })

  test('is one if that is returned', async () => {
    const text = await headlineOf(`
      const gateway = { config: { url: 'one', key: 'k1' } }, trace = async () => {}
      const reload = async () => { await null; gateway.config = { url: 'two', key: 'k2' } }
      const request = async () => { const { url } = gateway.config; await trace(); return url + ' ' + gateway.config.key }
      const [sent] = await Promise.all([request(), reload()])
      if (sent === 'one k2') throw new Error('mixed')`)
    expect(text).toMatch(/^Check-then-act on gateway\.config: request#1 read \{"url":"one","key":"k1"\}, then reload#1 wrote \{"url":"two","key":"k2"\}, then request#1 found \{"url":"two","key":"k2"\}\./)
  })

  const counter = (next: string): string => `
    const counter = { state: { count: 0 } }, track = async () => {}
    const set = (change) => { counter.state = { ...counter.state, ...change } }
    const click = async () => { const { count } = counter.state; await track(); set({ count: ${next} }) }
    await Promise.all([click(), click()])
    if (counter.state.count !== 2) throw new Error('lost')`

  test('and written there as it is may be made of an older look, as the order shows in which it is not', async () => {
    expect(await headlineOf(counter('count + 1'))).toMatch(/^Lost update on counter\.state: click#2 wrote \{"count":1\} from a value read before click#1 wrote \{"count":1\}\./)
  })

  test('and does not keep one from writing what was made before is lost as well', async () => {
    const edit = (again: string): string => `
      const wiki = { page: { rev: 1, text: 'a' } }
      const edit = async (more) => {
        const { rev, text } = wiki.page
        await null
        if (wiki.page.rev !== rev) { await null; ${again} }
        wiki.page = { rev: rev + 1, text: text + more }
      }
      await Promise.all([edit('b'), edit('c')])
      if (wiki.page.text.length !== 3) throw new Error('lost')`
    expect(await headlineOf(edit(''))).toMatch(/^Lost update on wiki\.page: edit#2 wrote \{"rev":2,"text":"ac"\} from a value read before edit#1 wrote \{"rev":2,"text":"ab"\}\./)
    expect(await headlineOf(edit('return'))).toMatch(/^Check-then-act on wiki\.page: edit#2 read /)
  })

  test('or not', async () => {
    expect(await headlineOf(counter('1'))).toMatch(/^The test threw; no race decides it/)
  })
})

describe('where steps are events', () => {
  const options = (): RunOptions & { given: object } => ({ interleave: 'event-loop', io: () => 'awaits', given: { fn: (work: (() => unknown) | undefined) => knowMock(vi.fn(work)) } })

  test('calls are run one after the other as well, and what a mock writes down is no act', async () => {
    const text = await headlineOf(
      `let row = { likes: 0 }
      const repo = { find: fn(async () => ({ ...row })), update: fn(async (change) => { row = { ...row, ...change } }) }
      const like = async () => { const post = await repo.find(); await repo.update({ likes: post.likes + 1 }) }
      await Promise.all([like(), like()])
      if (row.likes !== 2) throw new Error('lost')`,
      options(),
    )
    expect(text).toMatch(/^Lost update on row: like#2 wrote \{"likes":1\} from a value read before like#1 wrote \{"likes":1\}\./)
    expect(text).toContain('Every order fails; the test passes when its calls run one after the other.')
  })

  test('and where that fails too it is no race', async () => {
    const text = await headlineOf(
      `const repo = { find: fn(async () => 1) }, seen = { sum: 0 }
      const add = async () => { seen.sum += await repo.find() }
      await Promise.all([add(), add()])
      if (seen.sum !== 3) throw new Error('not three')`,
      options(),
    )
    expect(text).toMatch(/^The test threw; no race decides it: it fails in /)
  })
})

test('a count of a package is told where it decides what is done', async () => {
  const Limiter = madeOf(`return class Limiter {
      content = 0
      used = 0
      async take() {
        if (this.used >= 2) return false
        await this.drip()
        this.content -= 1
        this.used += 1
        return true
      }
      async drip() {
        while (this.content < 1) { await null; this.content = this.content + 1 }
      }
    }`, '/app/node_modules/limiter/index.cjs') as new () => object
  const text = await headlineOf(`
    const limiter = new Limiter()
    const taken = await Promise.all([limiter.take(), limiter.take(), limiter.take()])
    if (taken.filter(Boolean).length > 2) throw new Error('too many')`, { given: { Limiter } })
  expect(text).toMatch(/^Check-then-act on limiter\.used: take#3 read 0, then take#\d increased it to 1, then take#3 changed it to 3\./)
})

test.each(['await', 'event-loop'] as const)('a flag that decides which way a call takes is told, and not what it comes upon there: %s', async (interleave) => {
  const makeScreen = madeOf(
    `return (api) => {
      const shown = []
      const screen = {
        loading: false,
        async load(what) { screen.loading = true; const found = await api(what); shown.push(found); screen.loading = false },
        submit() { if (screen.loading) return []; return [...shown] },
      }
      return screen
    }`,
    '/app/screen.cjs',
  )
  const text = await headlineOf(`
    const screen = makeScreen(vi.fn(async (what) => what)), click = vi.fn(async () => {})
    const user = async () => { await click(); return screen.submit() }
    const [, , submitted] = await Promise.all([screen.load('a'), screen.load('b'), user()])
    if (submitted.length === 1) throw new Error('half')`, { given: { makeScreen, vi }, testFile: '/app/screen.spec.cjs', interleave })
  expect(text).toMatch(/^Wrong-holder release on screen\.loading: /)
})
