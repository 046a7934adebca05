import { EventEmitter, getEventListeners, on, once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { explore, type Tasks } from 'vitest-dpor'
import { older, opaque } from './uninstrumented/events.ts'
import { outcomesOf } from './uninstrumented/task-outcomes.ts'

class Bus extends EventEmitter {
  heard = 0
  override on(name: string, listener: () => void): this {
    return super.on(name, listener)
  }
}

class Target extends EventTarget {
  fire(): boolean {
    return this.dispatchEvent(new Event('x'))
  }
}

type Pair = readonly [name: string, subject: Tasks, results: readonly unknown[][]]

const counting = () => {
  const emitter = new EventEmitter()
  const state = { emitter, heard: 0 }
  emitter.once('x', () => void state.heard++)
  return state
}

const controllers = () => {
  const [a, b] = [new AbortController(), new AbortController()]
  return { a, b, any: AbortSignal.any([a.signal, b.signal]) }
}

/** Two tasks that do not commute: both orders are explored, and what they show. */
const pairs: readonly Pair[] = [
  ['on and emit', { setup: () => new EventEmitter(), tasks: [async (e) => void e.on('x', () => {}), async (e) => e.emit('x')] }, [[null, false], [null, true]]],
  ['off and listenerCount', { setup: () => { const listener = () => {}; return { e: new EventEmitter().on('x', listener), listener } }, tasks: [async (s) => void s.e.off('x', s.listener), async (s) => s.e.listenerCount('x')] }, [[null, 0], [null, 1]]],
  ['a once listener: emit changes the listeners', { setup: counting, tasks: [async (s) => s.emitter.emit('x'), async (s) => s.emitter.emit('x')] }, [[false, true], [true, false]]],
  ['a once listener: emit and listenerCount', { setup: counting, tasks: [async (s) => void s.emitter.emit('x'), async (s) => s.emitter.listenerCount('x')] }, [[null, 0], [null, 1]]],
  ['on and eventNames', { setup: () => new EventEmitter(), tasks: [async (e) => void e.on('x', () => {}), async (e) => e.eventNames().length] }, [[null, 0], [null, 1]]],
  ['prependListener and listeners', { setup: () => new EventEmitter(), tasks: [async (e) => void e.prependListener('x', () => {}), async (e) => e.listeners('x').length] }, [[null, 0], [null, 1]]],
  ['removeAllListeners and emit', { setup: () => new EventEmitter().on('x', () => {}), tasks: [async (e) => void e.removeAllListeners(), async (e) => e.emit('x')] }, [[null, false], [null, true]]],
  ['setMaxListeners and getMaxListeners', { setup: () => new EventEmitter(), tasks: [async (e) => void e.setMaxListeners(3), async (e) => e.getMaxListeners()] }, [[null, 10], [null, 3]]],
  ['newListener and on', { setup: () => ({ e: new EventEmitter(), n: 0 }), tasks: [async (s) => void s.e.on('newListener', () => s.n++), async (s) => { s.e.on('x', () => {}); return s.n }] }, [[null, 0], [null, 1]]],
  ['on in opaque code', { setup: () => new EventEmitter(), tasks: [async (e) => void opaque.on(e, 'x', () => {}), async (e) => e.emit('x')] }, [[null, false], [null, true]]],
  ['emit in opaque code', { setup: () => new EventEmitter(), tasks: [async (e) => void e.on('x', () => {}), async (e) => opaque.emit(e, 'x')] }, [[null, false], [null, true]]],
  ['a subclass that overrides on', { setup: () => new Bus(), tasks: [async (e) => void e.on('x', () => {}), async (e) => e.emit('x')] }, [[null, false], [null, true]]],
  ['once() of the module', { setup: () => new EventEmitter(), tasks: [async (e) => void once(e, 'x'), async (e) => e.emit('x')] }, [[null, false], [null, true]]],
  ['EventEmitter.listenerCount and on', { setup: () => new EventEmitter(), tasks: [async (e) => void e.on('x', () => {}), async (e) => EventEmitter.listenerCount(e, 'x')] }, [[null, 0], [null, 1]]],
  ['getEventListeners and addEventListener', { setup: () => new EventTarget(), tasks: [async (t) => t.addEventListener('x', () => {}), async (t) => getEventListeners(t, 'x').length] }, [[null, 0], [null, 1]]],
  // EventTarget
  ['addEventListener and dispatchEvent', { setup: () => ({ target: new EventTarget(), heard: 0 }), tasks: [async (s) => s.target.addEventListener('x', () => void s.heard++), async (s) => { s.target.dispatchEvent(new Event('x')); return s.heard }] }, [[null, 0], [null, 1]]],
  ['a subclass of EventTarget', { setup: () => { const t = new Target(); t.addEventListener('x', (e) => e.preventDefault(), { once: true }); return t }, tasks: [async (t) => t.fire(), async (t) => getEventListeners(t, 'x').length] }, [[true, 0], [true, 1]]],
  ['addEventListener in opaque code', { setup: () => ({ target: new EventTarget(), heard: 0 }), tasks: [async (s) => opaque.listen(s.target, 'x', () => void s.heard++), async (s) => { s.target.dispatchEvent(new Event('x')); return s.heard }] }, [[null, 0], [null, 1]]],
  ['a listener with a signal, and its abort', { setup: () => { const s = { target: new EventTarget(), controller: new AbortController(), heard: 0 }; s.target.addEventListener('x', () => void s.heard++, { signal: s.controller.signal }); return s }, tasks: [async (s) => s.controller.abort(), async (s) => { s.target.dispatchEvent(new Event('x')); return s.heard }] }, [[null, 0], [null, 1]]],
  // AbortController, AbortSignal
  ['abort and reason', { setup: () => new AbortController(), tasks: [async (c) => c.abort('why'), async (c) => c.signal.reason ?? null] }, [[null, null], [null, 'why']]],
  ['abort and throwIfAborted', { setup: () => new AbortController(), tasks: [async (c) => c.abort('why'), async (c) => { try { c.signal.throwIfAborted(); return 0 } catch { return 1 } }] }, [[null, 0], [null, 1]]],
  ['two aborts', { setup: () => new AbortController(), tasks: [async (c) => { c.abort('a'); return c.signal.reason }, async (c) => c.abort('b')] }, [['a', null], ['b', null]]],
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  ['onabort and abort', { setup: () => ({ c: new AbortController(), heard: 0 }), tasks: [async (s) => void (s.c.signal.onabort = () => s.heard++), async (s) => { s.c.abort(); return s.heard }] }, [[null, 0], [null, 1]]],
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  ['onabort read and set', { setup: () => new AbortController(), tasks: [async (c) => void (c.signal.onabort = () => {}), async (c) => c.signal.onabort === null] }, [[null, false], [null, true]]],
  ['any and the abort of a source', { setup: controllers, tasks: [async (s) => s.a.abort(), async (s) => s.any.aborted] }, [[null, false], [null, true]]],
  ['any: the first of two gives the reason', { setup: controllers, tasks: [async (s) => { s.a.abort('a'); return s.any.reason }, async (s) => { s.b.abort('b'); return s.any.reason }] }, [['a', 'a'], ['b', 'b']]],
  ['any of an any', { setup: () => { const s = controllers(); return { ...s, all: AbortSignal.any([s.any]) } }, tasks: [async (s) => s.a.abort(), async (s) => s.all.aborted] }, [[null, false], [null, true]]],
  ['any made, and the abort of a source', { setup: () => new AbortController(), tasks: [async (c) => c.abort(), async (c) => AbortSignal.any([c.signal]).aborted] }, [[null, false], [null, true]]],
  ['abort in opaque code', { setup: () => new AbortController(), tasks: [async (c) => opaque.abort(c), async (c) => c.signal.aborted] }, [[null, false], [null, true]]],
  ['aborted in opaque code', { setup: () => new AbortController(), tasks: [async (c) => c.abort(), async (c) => opaque.isAborted(c)] }, [[null, false], [null, true]]],
]

test.each(pairs)('%s: 2 executions', async (_name, subject, results) => {
  const expected = results.map((result) => JSON.stringify(result)).toSorted()
  expect(await outcomesOf(subject)).toEqual({ verdict: 'holds', executions: 2, outcomes: expected })
})

/** Two tasks that commute: one order is enough. */
const disjoint: Record<string, Tasks> = {
  'listeners of different events': { setup: () => new EventEmitter(), tasks: [async (e) => void e.on('x', () => {}), async (e) => e.emit('y')] },
  'emitters of their own': { tasks: [0, 1].map(() => async () => new EventEmitter().on('x', () => {}).emit('x')) },
  'two emits of an event nobody hears once': { setup: () => new EventEmitter().on('x', () => {}), tasks: [async (e) => e.emit('x'), async (e) => e.emit('x')] },
  'a listener that is not there is removed twice': { setup: () => new EventEmitter(), tasks: [0, 1].map(() => async (e: EventEmitter) => void e.off('x', () => {})) },
  'listeners of different types': { setup: () => new EventTarget(), tasks: [async (t) => t.addEventListener('x', () => {}), async (t) => t.dispatchEvent(new Event('y'))] },
  'controllers of their own': { tasks: [0, 1].map(() => async () => { const c = new AbortController(); c.signal.addEventListener('abort', () => {}); c.abort(); return c.signal.aborted }) },
  'an abort of another signal': { setup: controllers, tasks: [async (s) => s.a.abort(), async (s) => s.b.signal.aborted] },
  'two looks at a signal': { setup: () => new AbortController(), tasks: [async (c) => c.signal.aborted, async (c) => c.signal.throwIfAborted()] },
  'lines on the console': { tasks: [0, 1].map(() => async () => console.debug('')) },
}

test.each(Object.entries(disjoint))('%s: 1 execution', async (_name, subject) => {
  expect(await explore(subject, { stopOnFirst: false })).toMatchObject({ verdict: 'holds', executions: 1 })
})

test('events are kept in the order in which they are emitted', async () => {
  const { outcomes } = await outcomesOf({
    setup: () => {
      const emitter = new EventEmitter()
      return { emitter, events: on(emitter, 'x') as AsyncIterator<unknown[]> }
    },
    tasks: [
      async ({ emitter }) => void emitter.emit('x', 'a'),
      async ({ emitter, events }) => {
        emitter.emit('x', 'b')
        return (await events.next()).value
      },
    ],
  })
  expect(outcomes).toEqual(['[null,["a"]]', '[null,["b"]]'])
})

describe('what is older than the execution is put back', () => {
  test.each<[string, () => unknown, () => void]>([
    ['EventEmitter: on', () => older.emitter.listenerCount('x'), () => void older.emitter.on('x', () => {})],
    ['EventEmitter: on in opaque code', () => older.emitter.listenerCount('x'), () => void opaque.on(older.emitter, 'x', () => {})],
    ['EventEmitter: removeAllListeners', () => older.emitter.listenerCount('first'), () => void older.emitter.removeAllListeners()],
    ['EventEmitter: setMaxListeners', () => older.emitter.getMaxListeners(), () => void older.emitter.setMaxListeners(77)],
    ['EventTarget: addEventListener', () => getEventListeners(older.target, 'x').length, () => older.target.addEventListener('x', () => {})],
    ['EventTarget: a once listener', () => getEventListeners(older.target, 'first').length, () => void older.target.dispatchEvent(new Event('first'))],
    ['AbortController: abort', () => older.controller.signal.aborted, () => older.controller.abort()],
    // oxlint-disable-next-line unicorn/prefer-add-event-listener
    ['AbortSignal: onabort', () => older.controller.signal.onabort, () => void (older.controller.signal.onabort = () => {})],
  ])('%s', async (_name, look, change) => {
    const before = look()
    const subject: Tasks = { setup: () => expect(look()).toEqual(before), tasks: [0, 1].map(() => async () => change()) }
    const { verdict, executions } = await explore(subject, { stopOnFirst: false })
    expect({ verdict, executions }).toEqual({ verdict: 'holds', executions: 2 })
    expect(look()).toEqual(before)
  })
})

describe('whoever waits for a promise of once(), or of an iterator, that was kept comes after who has emitted', () => {
  /** What the other task finds of what is changed before, or after, something is emitted. */
  const found = async (begin: (emitter: EventEmitter) => Promise<unknown>, start: (state: { emitter: EventEmitter; value: number }) => Promise<void>): Promise<unknown> => {
    const { verdict, outcomes } = await outcomesOf({
      setup: () => {
        const emitter = new EventEmitter()
        return { emitter, kept: begin(emitter), value: 0 }
      },
      tasks: [
        async (state) => {
          await null
          await start(state)
        },
        async (state) => {
          await null
          await state.kept
          return state.value
        },
      ],
    })
    return [verdict, outcomes]
  }

  const onceOf = (emitter: EventEmitter): Promise<unknown> => once(emitter, 'x')
  const nextOf = (emitter: EventEmitter): Promise<unknown> => on(emitter, 'x')[Symbol.asyncIterator]().next()

  test.each([['once', onceOf], ['next', nextOf]])('%s', async (_, begin) => {
    const before = await found(begin, async (state) => {
      state.value = 1
      state.emitter.emit('x')
    })
    const after = await found(begin, async (state) => {
      state.emitter.emit('x')
      await null
      state.value = 1
    })
    expect([before, after]).toEqual([['holds', ['[null,1]']], ['holds', ['[null,0]', '[null,1]']]])
  })

  test('which may be rejected, and that nobody handles is told', async () => {
    const { failures } = await explore(async () => {
      const emitter = new EventEmitter()
      void once(emitter, 'x')
      await null
      emitter.emit('error', new Error('no'))
      await null
    })
    expect(failures).toMatchObject([{ kind: 'unhandled-rejection', error: { message: 'no' } }])
  })

  test('which may be rejected, and handled only then', async () => {
    const { verdict } = await explore(async () => {
      const emitter = new EventEmitter()
      const kept = once(emitter, 'x')
      const fails = async (): Promise<void> => {
        await null
        emitter.emit('error', new Error('no'))
      }
      await Promise.all([fails(), expect(kept).rejects.toThrow('no')])
    })
    expect(verdict).toBe('holds')
  })
})
