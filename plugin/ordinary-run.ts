import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { ProvidedRun, RunSettings } from '../src/options/index.ts'

/** Where the command line finds out that somebody has taken note of what it said. */
const isThere = Symbol.for('vitest-dpor: the plugin is there')

export function tellThatPluginIsThere(): void {
  Reflect.set(globalThis, isThere, true)
}

let provided: ProvidedRun | undefined

/** What workers are told of a run with `--dpor`: the same in all projects. */
export function provideRun({ races, testTime, testExecutions, maxTime, maxExecutions }: RunSettings): ProvidedRun {
  return (provided ??= {
    races,
    testTime,
    testExecutions,
    maxTime,
    maxExecutions,
    until: maxTime === Infinity ? undefined : Date.now() + maxTime,
    counter: maxExecutions === Infinity ? undefined : newCounter(),
  })
}

/** An empty file, which is there as long as this process. */
function newCounter(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'vitest-dpor-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'executions')
  writeFileSync(file, '')
  return file
}
