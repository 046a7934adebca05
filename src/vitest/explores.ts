import { install, watchTimers } from '../runtime/index.ts'
import { knowExpect } from './assertion-state.ts'
import { exploreTests } from './exploring.ts'
import { knowVi } from './tools.ts'
import { wholeHere } from './whole-here.ts'

let isPrepared = false

/** In a test worker that may explore: what is done once, before files load that are instrumented, or before tests are defined that explore. */
export function prepare(): void {
  // Whoever imports this package elsewhere finds no test runner.
  if (isPrepared || wholeHere() || !('__vitest_worker__' in globalThis)) return
  isPrepared = true
  install()
  watchTimers()
  knowVi()
  knowExpect()
  exploreTests()
}
