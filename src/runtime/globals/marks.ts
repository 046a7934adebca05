import { Reflect } from '../../engine/intrinsics.ts'
import { timeNow, timeTold } from '../execution/clock.ts'
import { STATE } from '../execution/keys.ts'
import type { nativePerformance } from '../execution/native.ts'
import { running } from '../execution/running.ts'
import type { Patch } from './globals.ts'
import type { AnyFunction } from './timers.ts'

type Performance = NonNullable<typeof nativePerformance>

/** The marks and measures of `performance`: all of the process are one location, and an execution finds those that were there before it. */
export function markPatches(performance: Performance): Patch[] {
  const patch = (key: string, argumentsOf: (args: unknown[]) => unknown[] = (args) => args, { changes = true } = {}): Patch => ({
    target: performance,
    key,
    make: (native: AnyFunction) => (...args) => (running === null ? Reflect.apply(native, performance, args) : told(performance, () => Reflect.apply(native, performance, argumentsOf(args)) as unknown, { changes })),
  })
  return [
    patch('mark', ([name, options]) => [name, { startTime: timeTold(running!, 'mark'), ...(options as object) }]),
    patch('measure', ([name, start, end]) => [name, measured(start, end, timeNow(running!))]),
    patch('clearMarks'),
    patch('clearMeasures'),
    ...['getEntries', 'getEntriesByName', 'getEntriesByType'].map((key) => patch(key, undefined, { changes: false })),
  ]
}

function told(performance: Performance, run: () => unknown, { changes }: { readonly changes: boolean }): unknown {
  const execution = running!
  const { accesses, here: site, identities, journal } = execution
  const marks = identities.named('performance marks')
  if (!changes) accesses.read(marks, STATE, site, undefined)
  else {
    journal.part(performance, 'marks', () => saved(performance))
    accesses.write(marks, STATE, site, undefined)
    // Those hear of it who observe it.
    execution.mayHavePosted()
  }
  return run()
}

interface Entry {
  readonly name: string
  readonly entryType: string
  readonly startTime: number
  readonly duration: number
  readonly detail?: unknown
}

/** Returns what puts them back. */
function saved(performance: Performance): () => void {
  const before = [...performance.getEntriesByType('mark'), ...performance.getEntriesByType('measure')]
  return () => {
    performance.clearMarks()
    performance.clearMeasures()
    for (const { name, entryType, startTime, duration, detail } of before as Entry[]) {
      if (entryType === 'mark') performance.mark(name, { startTime, detail })
      else performance.measure(name, { start: startTime, duration, detail })
    }
  }
}

/** What `performance.measure` is about: up to now, if nothing else is said. */
function measured(start: unknown, end: unknown, time: number): object {
  if (typeof start !== 'object' || start === null) return { start: start ?? 0, end: end ?? time }
  return 'end' in start || ('duration' in start && 'start' in start) ? start : { ...start, end: time }
}
