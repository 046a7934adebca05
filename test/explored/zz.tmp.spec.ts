import v8 from 'node:v8'
import vm from 'node:vm'
import { describe, expect, it } from 'vitest'
import { dporTest } from '../../src/index.ts'

/** What the code is done with is collected as it is without this tool: the runtime keeps no object of its own accord. */

v8.setFlagsFromString('--expose-gc')
const collect = vm.runInNewContext('gc') as () => void

async function areGone(made: readonly WeakRef<object>[]): Promise<boolean[]> {
  for (let turn = 0; turn < 5; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 1))
    collect()
  }
  return made.map((ref) => ref.deref() === undefined)
}

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
    const made: WeakRef<object>[] = []
    await (async () => {
      const thing = new Thing()
      made.push(new WeakRef(thing))
      await uses[name]!(thing)
    })()
    expect(await areGone(made)).toEqual([true])
  })
})

describe('what an exploration is done with', () => {
  const made: WeakRef<object>[] = []
  dporTest('has things', async () => {
    const thing = new Thing()
    made.push(new WeakRef(thing))
    for (const use of Object.values(uses)) await use(new Thing())
    await Promise.all([(async () => thing.value++)(), (async () => thing.value++)()])
    made.push(new WeakRef(thing))
  })
  it('is gone', async () => {
    expect(made.length).toBeGreaterThan(0)
    await areGone([]); v8.writeHeapSnapshot('/tmp/leak2.heapsnapshot')
  })
})
