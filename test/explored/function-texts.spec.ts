import { runInNewContext } from 'node:vm'
import { Worker } from 'node:worker_threads'
import { describe, expect, test } from 'vitest'
import { outcomes } from './uninstrumented/outcomes.ts'

const settings = { tax: 2 }

const increase = (o: { n: number }) => { o.n += settings.tax; return o.n }
const three = () => 3
const taking = ({ n }: { n: number }) => n + settings.tax
async function waiting(o: { n: number }) { await null; return o.n }
const texts = {
  arrow: String((o: { n: number }) => o.n + 1),
  constant: three.toString(),
  taking: `${taking}`,
  declared: waiting.toString(),
  asynchronous: `${async (o: { n: number }) => { await null; return o.n }}`,
  generated: String(async function* (n: number) { yield n }),
  stepping: String({ async *m(n: number) { yield n } }.m),
  made: String(new Function('a', 'return a')),
  method: String({ async m(o: { n: number }) { return o.n } }.m),
  class: String(class { static make(o: { n: number }) { return new this().at(o) } at(o: { n: number }) { return o.n } }),
}

describe('a function has the text that it was written with', () => {
  test('outside an exploration', () => {
    expect(texts).toEqual({
      arrow: '(o) => o.n + 1',
      constant: '() => 3',
      taking: '({ n }) => n + settings.tax',
      declared: expect.stringMatching(/^async function waiting\(o\) \{\s*await null;\s*return o\.n;?\s*\}$/),
      asynchronous: expect.stringMatching(/^async \(o\) => \{\s*await null;\s*return o\.n;?\s*\}$/),
      generated: expect.stringMatching(/^async function\*\s*(generated)?\(n\) \{\s*yield n;?\s*\}$/),
      stepping: expect.stringMatching(/^async \*m\(n\) \{\s*yield n;?\s*\}$/),
      made: 'function anonymous(a\n) {\nreturn a\n}',
      method: expect.stringMatching(/^async m\(o\) \{\s*return o\.n;?\s*\}$/),
      class: expect.stringMatching(/^class \{\s*static make\(o\) \{\s*return new this\(\)\.at\(o\);?\s*\}\s*at\(o\) \{\s*return o\.n;?\s*\}\s*\}$/),
    })
  })

  test('inside one', async () => {
    const { seen } = await outcomes(async () => {
      await null
      return [String((o: { n: number }) => o.n + 1), String(waiting) === texts.declared, Function.prototype.toString.call(increase).includes('dpor')]
    })
    expect(seen).toEqual(['["(o) => o.n + 1",true,false]'])
  })

  test('and runs in a realm and in a thread that know nothing of this package', async () => {
    expect(runInNewContext(`(${String((o: { n: number }) => o.n + 1)})({ n: 1 })`)).toBe(2)
    expect(await runInNewContext(`(${texts.declared})({ n: 4 })`)).toBe(4)
    const worker = new Worker(`const { parentPort } = require('node:worker_threads'); (${texts.asynchronous})({ n: 5 }).then((n) => parentPort.postMessage(n))`, { eval: true })
    expect(await new Promise((resolve, reject) => { worker.once('message', resolve); worker.once('error', reject) })).toBe(5)
    await worker.terminate()
  })
})

test('what stands in the place of a function of the platform looks like that', async () => {
  const natives = /^function \w*\(\) \{ \[native code\] \}$/
  expect(String(Function.prototype.toString)).toMatch(natives)
  const { seen } = await outcomes(async () => {
    await null
    return [setTimeout, Promise.prototype.then, Promise.all].map((fn) => String(fn).replaceAll(/\s+/g, ' '))
  })
  expect(JSON.parse(seen[0]!)).toEqual(['setTimeout', 'then', 'all'].map((name) => `function ${name}() { [native code] }`))
})

test('Function.prototype.toString is as specified', () => {
  const { toString } = Function.prototype
  expect(Object.getOwnPropertyDescriptor(Function.prototype, 'toString')).toEqual({ value: toString, writable: true, enumerable: false, configurable: true })
  expect([toString.name, toString.length, 'prototype' in toString]).toEqual(['toString', 0, false])
  expect(() => toString.call({})).toThrow(TypeError)
  expect(() => Reflect.construct(toString, [])).toThrow(TypeError)
})
