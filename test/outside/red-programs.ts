/** A function made where nobody sees what it changes: it tells how often it was called. */
const counted = `
import vm from 'node:vm'
import { expect, test } from 'vitest'
const next: () => number = vm.runInThisContext('(() => { let n = 0; return () => ++n })()')
async function both() {
  let sum = 0
  const add = async () => { await null; sum += 1 }
  await Promise.all([add(), add()])
  expect(sum).toBe(2)
}
`

/** Tests of one file that are green without the flag, but for those named `red`. */
export const redPrograms: Readonly<Record<string, string>> = {
  'counted.spec.ts': `${counted}
test('counts once', async () => { next(); await both() })
test('is the second', async () => { expect(next()).toBe(2); await null })
test('is the third, at once', () => { expect(next()).toBe(3) })
test('red as well', async () => { await null; expect(1).toBe(2) })
test('red at once', () => { expect(1).toBe(2) })
test('a race', async () => {
  let value = 0
  const add = async () => { const before = value; await null; value = before + 1 }
  await Promise.all([add().then(add), add()])
  expect(value).toBeGreaterThan(1)
})
`,
  'killed.spec.ts': `${counted}
test('kills the second one', async () => {
  if (next() > 1) process.kill(process.pid, 'SIGKILL')
  await both()
})
test('comes after it', async () => { await null })
test('red after it', async () => { await null; expect(1).toBe(2) })
`,
  'unhandled.spec.ts': `${counted}
process.on('SIGUSR2', () => { throw new Error('nobody handles it') })
test('counts', async () => { next(); await both() })
test('sends a signal where it has run before', () => { if (next() > 2) process.kill(process.pid, 'SIGUSR2') })
test('waits', async () => { await new Promise((resume) => setTimeout(resume, 30)) })
`,
  'hook.spec.ts': `${counted.replace('{ expect', '{ afterAll, expect')}
afterAll(() => { expect(next()).toBe(2) })
test('counts before the hook', async () => { next(); await both() })
`,
}
