import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { project } from './project.ts'

const run = promisify(execFile)

const programs = `import { program } from 'vitest-dpor/engine'

export const readers = program(({ shared, thread }) => {
  const x = shared('x', 0)
  thread('writer', function* () { yield* x.write(1) })
  for (let i = 0; i < 10; i++) thread('reader' + i, function* () {
    yield* shared('y' + i, 0).read()
    yield* x.read()
  })
})

export function lastzero() {
  const n = 8
  return program(({ shared, thread }) => {
    const a = Array.from({ length: n + 1 }, (_, i) => shared('a' + i, 0))
    thread('scan', function* () {
      let i = n
      while ((yield* a[i].read()) !== 0) i--
    })
    for (let j = 1; j <= n; j++) thread('inc' + j, function* () {
      yield* a[j].write((yield* a[j - 1].read()) + 1)
    })
  })
}

export default program(({ mutex, thread }) => {
  const forks = Array.from({ length: 6 }, (_, i) => mutex('fork' + i))
  for (let i = 0; i < 6; i++) thread('philosopher' + i, function* () {
    const [left, right] = [forks[i], forks[(i + 1) % 6]]
    yield* left.lock()
    yield* right.lock()
    yield* right.unlock()
    yield* left.unlock()
  })
})
`

const script = `import { explore, exploreParallel } from 'vitest-dpor/engine'
import * as programs from './programs.js'

const url = new URL('./programs.js', import.meta.url)
const shown = ({ verdict, executions, blocked, steps, estimate, failures }) =>
  ({ verdict, executions, blocked, steps, estimate, failures: failures.map(({ kind, schedule, error }) => [kind, schedule, error.name]) })
const found = []
for (const [name, made] of Object.entries(programs)) {
  for (const algorithm of ['source', 'optimal', 'pop']) {
    const options = { algorithm, stopOnFirst: false }
    const program = typeof made === 'function' ? made() : made
    const parallel = []
    for (const workers of [1, 2, 3]) parallel.push(shown(await exploreParallel(url, { ...options, export: name, workers })))
    found.push({ name, algorithm, whole: shown(explore(program, options)), parallel })
  }
}
const first = await exploreParallel(String(url))
const refused = await exploreParallel(url, { export: 'writers' }).catch((error) => error.name + ': ' + error.message)
console.log(JSON.stringify({ found, first: shown(first), refused }))
`

interface Shown {
  readonly executions: number
  readonly blocked: number
  readonly verdict: string
  readonly estimate: number
  readonly failures: readonly (readonly string[])[]
}

interface Found {
  readonly name: string
  readonly algorithm: string
  readonly whole: Shown
  readonly parallel: readonly Shown[]
}

const slow = `import { program } from 'vitest-dpor/engine'

export default program(({ shared, thread }) => {
  const x = shared('x', 0)
  for (let i = 0; i < 6; i++) thread('adds ' + i, function* () { yield* x.update((value) => value + 1) })
  return () => {
    for (const end = performance.now() + 4; performance.now() < end;);
    return true
  }
})
`

const night = `import { exploreParallel } from 'vitest-dpor/engine'

const kept = { saveTo: 'kept', resumeFrom: 'kept' }
const { verdict, executions, inconclusiveReason } = await exploreParallel(new URL('./slow.js', import.meta.url), { workers: 2, ...kept })
console.log(JSON.stringify({ verdict, executions, inconclusiveReason }))
`

test('workers that were killed go on where they were', async () => {
  const folder = project('killed', { 'slow.js': slow, 'night.js': night })
  const kept = path.join(folder, 'kept')
  const files = (): string[] => (existsSync(kept) ? readdirSync(kept).filter((name) => name.endsWith('.json')) : [])
  const first = execFile(process.execPath, ['night.js'], { cwd: folder })
  while (files().length < 2) await setTimeout(20)
  first.kill('SIGKILL')
  await once(first, 'exit')
  expect(files().toSorted()).toEqual(['1-of-2.json', '2-of-2.json'])
  const { stdout } = await run(process.execPath, ['night.js'], { cwd: folder })
  expect(JSON.parse(stdout)).toEqual({ verdict: 'holds', executions: 720 })
  expect(files()).toEqual([])
})

test('worker threads of the installed package explore what one thread explores', async () => {
  const folder = project('parallel', { 'programs.js': programs, 'main.js': script })
  const { stdout } = await run(process.execPath, [path.join(folder, 'main.js')], { cwd: folder, maxBuffer: 1e8 })
  const { found, first, refused } = JSON.parse(stdout) as { found: Found[]; first: Shown; refused: string }
  const counts = { readers: 1024, lastzero: 704, default: 63 }
  expect(found).toHaveLength(9)
  for (const { name, algorithm, whole, parallel } of found) {
    const label = `${name} by ${algorithm}`
    const { verdict, executions, estimate, failures } = whole
    expect(executions, label).toBe(counts[name as keyof typeof counts])
    expect(parallel[0], label).toMatchObject({ verdict, executions, estimate })
    expect(parallel[0]!.failures.map(([kind]) => kind), label).toEqual(failures.map(([kind]) => kind))
    if (algorithm === 'pop') expect(parallel[0]!.blocked, label).toBe(0)
    expect(parallel[1], label).toEqual(parallel[0])
    expect(parallel[2], label).toEqual(parallel[0])
  }
  expect(first.verdict).toBe('fails')
  expect(first.failures.map(([kind, , name]) => [kind, name])).toEqual([['deadlock', 'DeadlockError']])
  expect(refused).toMatch(/^ProgramError: file:.*programs\.js: it has no export 'writers'; there are 'default', 'lastzero', 'readers'$/)
})
