import { AtomicStep } from './atomic.ts'
import { Delay } from './delay.ts'
import type { LocationId } from '../ids.ts'
import { KeyedMap } from './keyed-map.ts'
import { List } from './list.ts'
import { Mutex } from './mutex.ts'
import type { OrderedPoints } from './ordered-points.ts'
import type { Run } from './operations.ts'
import type { ProgramBuilder } from './program.ts'
import { Shared } from './shared.ts'
import { Until } from './shared-operations.ts'
import { Signal } from './signal.ts'
import { Join, Spawn } from './threads.ts'

/** What the builder needs to know of the execution that it makes things for. */
export interface BuiltRun extends Run {
  /** Those that have to be passed in a certain order. */
  readonly points: OrderedPoints | undefined
  /** The program is built. */
  readonly hasStarted: boolean
  /** The location of the variable made next. */
  nextLocation(): LocationId
}

/** What programs are built with: one for all executions, as it is used in each of them. `current` is the one under way. */
export function builderFor(current: () => BuiltRun): ProgramBuilder {
  return {
    shared: (name, initial) => new Shared(current(), name, current().nextLocation(), initial),
    list: (name, initial = []) => new List(current(), name, { location: current().nextLocation(), initial }),
    map: (name, initial = []) => new KeyedMap(current(), name, { location: current().nextLocation(), initial }),
    mutex: (name) => new Mutex(current(), name, current().nextLocation()),
    signal: (name) => new Signal(current(), name, current().nextLocation()),
    thread: (name, body) => {
      const run = current()
      if (run.hasStarted) run.refuse('thread was called after the program had started: use yield* spawn')
      return run.start(name, body, undefined)
    },
    spawn: (name, body) => new Spawn(current(), name, body),
    join: (thread) => new Join(current(), thread),
    until: (variable, predicate) => new Until(variable, predicate),
    at: (name) => current().points?.come(name) ?? [],
    delay: (time) => new Delay(current(), time),
    atomic: (body, options = {}) => new AtomicStep(current(), body, options.after),
  }
}
