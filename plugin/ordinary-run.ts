import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { boundsOfTest, type ProvidedRun, type RunSettings } from '../src/options/index.ts'
import { readBaseline } from '../src/testing/baseline.ts'
import { keyOf } from '../src/testing/race.ts'
import { PluginOptionError } from './options.ts'

/** Where the command line finds out that somebody has taken note of what it said. */
const isThere = Symbol.for('vitest-dpor: the plugin is there')

export function tellThatPluginIsThere(): void {
  Reflect.set(globalThis, isThere, true)
}

let awaited = false
let hasProject = false

/** A config has the plugin. Of a workspace that may be one that no project takes over: then nothing is explored, which nobody else would tell of. */
export function awaitProject(): void {
  if (awaited) return
  awaited = true
  process.once('exit', () => {
    if (hasProject) return
    process.exitCode ||= 1
    console.error(
      'vitest-dpor: nothing was explored, as no project of the workspace has the plugin: what the Vitest config that lists them has is not theirs. Add dpor() to the plugins of their own configs, or `extends: true` to those that are listed with their options',
    )
  })
}

export function projectBegins(): void {
  hasProject = true
}

let provided: ProvidedRun | undefined

/** What workers are told of a run with `--dpor`: the same in all projects. */
export function provideRun(settings: RunSettings): ProvidedRun {
  const { races, baseline, maxTime, maxExecutions } = settings
  const isBounded = maxTime !== Infinity || maxExecutions !== Infinity
  return (provided ??= {
    races,
    known: baseline === undefined ? [] : knownRaces(baseline),
    ...boundsOfTest(settings),
    maxExecutions: maxExecutions === Infinity ? undefined : maxExecutions,
    until: maxTime === Infinity ? undefined : endOfExplorations(maxTime),
    timeName: `the ${maxTime} ms of the run`,
    counts: isBounded ? newCounts() : undefined,
  })
}

/** @throws PluginOptionError for a file that is no baseline */
function knownRaces(file: string): string[] | 'all' {
  if (!existsSync(file)) return 'all'
  try {
    return readBaseline(readFileSync(file, 'utf8')).map(keyOf)
  } catch (error) {
    throw new PluginOptionError(`${file} is no baseline: ${error instanceof Error ? error.message : String(error)}. Remove it to have it written anew`, 'commandLine')
  }
}

/** Longest start of Vitest that counts as part of the run. Milliseconds. */
const longestStart = 5000

/**
 * When the time of a run is up that somebody asked for with this process, unless that has done something else before. What has started this process, and
 * what comes after the explorations, take about as long each as Vitest has taken to start: for that something is left.
 */
function endOfExplorations(maxTime: number): number {
  const start = Math.min(process.uptime() * 1000, longestStart)
  return Date.now() - start + maxTime - Math.min(2 * start, maxTime / 4)
}

/** An empty folder, which is there as long as this process. */
function newCounts(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'vitest-dpor-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
