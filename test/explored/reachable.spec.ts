import { describe, expect, it } from 'vitest'
import { dporTest } from '../../src/index.ts'
import { Watched } from './uninstrumented/reclaimed.ts'

/** What the code is done with is collected as it is without this tool: the runtime keeps no object for longer. */

class Thing {
  value = 1
  #hidden = 2
  get hidden(): number {
    return this.#hidden
  }
  set hidden(value: number) {
    this.#hidden = value
  }
}

/** What is done with a thing, or with what holds it. */
const uses: Record<string, (thing: Thing) => unknown> = {
  'reads and writes': (thing) => (thing.value += thing.value),
  'accessors': (thing) => (thing.hidden = thing.hidden + 1),
  'a call': (thing) => thing.hasOwnProperty('value'),
  'an optional chain': (thing) => (thing as Thing | undefined)?.value?.toFixed(2),
  'a Set that is iterated over': (thing) => {
    for (const inside of new Set([thing])) inside.value++
  },
  'a Map that is spread': (thing) => [...new Map([[thing, thing]])],
  'an array pattern': (thing) => {
    const [first] = [thing]
    return first
  },
  'an object pattern': (thing) => {
    const { value, ...rest } = thing
    return [value, rest]
  },
  'a generator': (thing) => {
    function* each(): Generator<Thing> {
      yield thing
    }
    return [...each()]
  },
  'a Proxy': (thing) => new Proxy(thing, {}).value,
  'reflection': (thing) => Reflect.get(Object.assign({}, thing), 'value'),
  'keys': (thing) => {
    const found = []
    for (const key in thing) found.push(key)
    return [found, Object.keys(thing), 'value' in thing, delete (thing as Partial<Thing>).value]
  },
  'what is bound': (thing) => function (this: Thing) { return this.value }.bind(thing)(),
  'a class that takes it': (thing) => new (class Box { constructor(readonly content: Thing) {} })(thing).content,
  'an error that is thrown': (thing) => {
    try {
      throw Object.assign(new Error('of a thing'), { thing })
    } catch (error) {
      return (error as { thing: Thing }).thing
    }
  },
  'JSON': (thing) => JSON.stringify({ thing }),
  'a promise': async (thing) => (await Promise.all([thing, Promise.resolve(thing).then((same) => same)])).length,
  'a timer': (thing) => new Promise((resolve) => setTimeout(resolve, 0, thing)),
  'listeners': (thing) => {
    const target = new EventTarget()
    target.addEventListener('ring', () => thing.value++)
    return target.dispatchEvent(new Event('ring'))
  },
}

describe('outside of explorations', () => {
  it.for(Object.keys(uses))('%s', async (name) => {
    const watched = new Watched()
    await (async () => {
      const thing = new Thing()
      watched.add(thing)
      await uses[name]!(thing)
    })()
    expect(await watched.counts()).toEqual({ all: 1, left: 0 })
  })
})

describe('when an exploration is over', () => {
  const watched = new Watched()

  for (const name of Object.keys(uses)) {
    dporTest(name, async () => {
      const thing = new Thing()
      watched.add(thing)
      await uses[name]!(thing)
      await Promise.all([(async () => thing.value++)(), (async () => thing.value++)()])
    })
  }

  it('what it used can be reclaimed', async () => {
    const { all, left } = await watched.counts()
    expect(all).toBeGreaterThan(Object.keys(uses).length)
    expect(left).toBe(0)
  })
})
