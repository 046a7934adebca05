import util from 'node:util'
import { expect, test } from 'vitest'
import { exploreBody } from './project.ts'

/** What inherits from a prototype of the platform need not be of its class: such objects stand for responses that are made only when somebody looks. */

const classes = ['Date', 'RegExp', 'URL', 'URLSearchParams', 'Headers', 'FormData', 'Request', 'Response', 'Blob', 'AbortController', 'AbortSignal', 'AggregateError', 'Map', 'Set', 'Uint8Array', 'ReadableStream', 'TextDecoder', 'Event']

const uses: Readonly<Record<string, string>> = {
  'is made by an own class': 'class Own { constructor() { this.a = 1 } } Object.setPrototypeOf(Own.prototype, Platform.prototype); return new Own().a',
  'is made by one that is not instrumented': 'return typeof new (opaque.run(() => { function Other() {} Other.prototype = Platform.prototype; return Other }))()',
  'is handed over': 'return opaque.run(() => typeof like, like)',
  'is spread': 'return Object.keys({ ...like }).length',
  'is compared': 'return util.isDeepStrictEqual(like, like)',
  'becomes a text': 'return String(like).slice(0, 8)',
  'becomes JSON': 'return JSON.stringify(like).length',
  'is copied': 'return typeof structuredClone(like)',
  'makes a request': `return typeof new Request('http://localhost', like)`,
}

const scope = () => ({ util, opaque: { run: new Function('make', 'return make()') } })

test.each(Object.keys(uses))('what is like an object of the platform %s', async (use) => {
  for (const name of classes) {
    const body = `const Platform = ${name}; const like = Object.create(Platform.prototype); try { ${uses[use]!} } catch (error) { return error.name }`
    const AsyncFunction = (async () => {}).constructor as new (...text: string[]) => (...values: unknown[]) => Promise<unknown>
    const plain = await new AsyncFunction(...Object.keys(scope()), body)(...Object.values(scope()))
    expect([name, (await exploreBody(body, { scope, limit: 3 })).outcomes]).toEqual([name, [JSON.stringify(plain)]])
  }
})
