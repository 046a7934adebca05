import { expect, test } from 'vitest'
import { Random } from '../async-oracle/random.ts'
import { enumerate } from './enumerate.ts'
import { plainRun } from './plain-run.ts'
import { exploreBody } from './project.ts'

/** An expression for a promise that is settled, or never, without any code of the body running for it. */
function promise(random: Random, depth: number): string {
  const inner = (): string => promise(random, depth - 1)
  const leaves = ['p', 'q', 'failed', 'never', `'value'`, `Promise.resolve('made')`, `(async () => 'ended')()`, `Promise.reject('thrown')`]
  if (depth === 0) return random.pick(leaves)
  const wrappers = [
    () => `Promise.resolve(${inner()}).then()`,
    () => `Promise.resolve(${inner()}).catch()`,
    () => `Promise.resolve(${inner()}).finally()`,
    () => `new Promise((resolve) => resolve(${inner()}))`,
    () => `new Promise((resolve, reject) => { reject('no') })`,
    () => `(async () => ${inner()})()`,
    () => `(async () => { throw 'no' })()`,
    () => `Promise.all([${inner()}, ${inner()}])`,
    () => `Promise.allSettled([${inner()}, ${inner()}])`,
    () => `Promise.race([${inner()}, ${inner()}])`,
    () => `Promise.any([${inner()}, ${inner()}])`,
    inner,
  ]
  return random.pick(wrappers)()
}

function body(random: Random): string {
  const kind = random.pick(['race', 'any'])
  const parts = Array.from({ length: 2 + random.int(2) }, (_, i) => `const p${i} = ${promise(random, 1 + random.int(3))}`)
  const list = random.pick([parts.map((_, i) => `p${i}`), parts.map((_, i) => `p${i}`).toReversed()])
  return `
    const p = Promise.resolve('p'), q = Promise.resolve('q'), failed = Promise.reject('failed'), never = new Promise(() => {})
    failed.catch(() => {})
    let last = 'last'
    for (let i = 0; i < ${random.int(5)}; i++) { const value = last; last = new Promise((resolve) => resolve(value)) }
    ${parts.join('\n')}
    for (const part of [${list.join()}]) Promise.resolve(part).catch(() => {})
    return JSON.stringify(await Promise.${kind}([${list.join()}, last]).catch((error) => ['caught', String(error)]))`
}

test('of what is settled in one step, the first is the same as in a plain run', async () => {
  const random = new Random(1)
  const differing: unknown[] = []
  const plainRuns = new Set<string>()
  for (let i = 0; i < 100; i++) {
    const source = body(random)
    const plain = await plainRun(source)
    const { outcomes: known } = await enumerate(source)
    const { outcomes } = await exploreBody(source)
    if ([...known, ...outcomes].some((outcome) => outcome !== plain)) differing.push({ source, plain, known, outcomes })
    plainRuns.add(plain)
  }
  expect(differing).toEqual([])
  expect(plainRuns.size).toBeGreaterThan(10)
})
