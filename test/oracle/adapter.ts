import { Search, parseSchedule, program, type AlgorithmName, type Operation, type Program, type ProgramBuilder, type Shared, type Signal, type Mutex, type Thread } from '../../src/engine/index.ts'
import type { MakeAlgorithm } from '../../src/engine/algorithms/algorithm.ts'
import { ProgramDriver } from '../../src/engine/program/program-driver.ts'
import { satisfies, valueOf, type Ast, type Part, type Step } from './ast.ts'

export interface EngineRun {
  readonly schedules: readonly (readonly number[])[]
  readonly executions: number
  readonly blocked: number
}

/** An algorithm by its name, or one with some of its rules. */
export interface Choice {
  readonly algorithm?: AlgorithmName | undefined
  readonly makeAlgorithm?: MakeAlgorithm | undefined
}

/** What the engine explores of the program. */
export function runEngine(ast: Ast, { algorithm, makeAlgorithm }: Choice = {}): EngineRun {
  const search = new Search({ stopOnFirst: false, algorithm }, makeAlgorithm)
  const driver = new ProgramDriver(toProgram(ast), search)
  while (search.next()) driver.execute()
  const { failures, executions, blocked } = search.result()
  return { schedules: failures.map(({ schedule }) => parseSchedule(schedule)), executions, blocked }
}

/** The same program for the engine. Its invariant is always false, so that every execution is listed with its schedule. */
export function toProgram(ast: Ast): Program {
  return program((builder) => {
    const parts: Parts = {
      ast,
      builder,
      variables: Array.from({ length: ast.variables }, (_, i) => builder.shared(`v${i}`, 0)),
      locks: Array.from({ length: ast.locks }, (_, i) => builder.mutex(`l${i}`)),
      signals: Array.from({ length: ast.signals }, (_, i) => builder.signal(`s${i}`)),
      threads: [],
    }
    ast.threads.forEach(({ spawned }, i) => {
      if (!spawned) parts.threads[i] = builder.thread(`T${i}`, () => threadBody(parts, i))
    })
    return () => false
  })
}

interface Parts {
  readonly ast: Ast
  readonly builder: ProgramBuilder
  readonly variables: Shared<number>[]
  readonly locks: Mutex[]
  readonly signals: Signal[]
  readonly threads: Thread[]
}

interface Local {
  register: number
  readonly held: Set<number>
}

function* threadBody(parts: Parts, thread: number): Generator<Operation<unknown>, void> {
  const local: Local = { register: 0, held: new Set() }
  for (const step of parts.ast.threads[thread]!.steps) {
    if (step.when === undefined || step.when === local.register) yield* take(parts, local, step)
  }
}

function* take(parts: Parts, local: Local, { action }: Step): Generator<Operation<unknown>, void> {
  const { builder, variables, locks, signals, threads } = parts
  switch (action.type) {
    case 'read':
      local.register = yield* variables[action.variable]!.read()
      return
    case 'write':
      return yield* variables[action.variable]!.write(valueOf(action.value, local.register))
    case 'add':
      yield* variables[action.variable]!.update((value) => value + 1)
      return
    case 'combine':
      return yield* variables[action.variable]!.combine((value) => value + 1)
    case 'swap':
      local.register = Number(yield* variables[action.variable]!.compareAndSwap(action.expected, action.next))
      return
    case 'atomic': {
      const after = action.after === undefined ? {} : { after: signals[action.after]! }
      return yield* builder.atomic(() => takeParts(parts, local, action.body), after)
    }
    case 'lock':
      yield* locks[action.lock]!.lock()
      local.held.add(action.lock)
      return
    case 'unlock':
      if (local.held.delete(action.lock)) yield* locks[action.lock]!.unlock()
      return
    case 'until':
      local.register = yield* builder.until(variables[action.variable]!, (value) => satisfies(action.predicate, value))
      return
    case 'raise':
      yield* signals[action.signal]!.raise()
      return
    case 'await':
      return yield* signals[action.signal]!.wait()
    case 'delay':
      return yield* builder.delay(action.time)
    case 'spawn':
      threads[action.thread] = yield* builder.spawn(`T${action.thread}`, () => threadBody(parts, action.thread))
      return
    case 'join':
      return yield* builder.join(threads[action.thread]!)
    default:
      action satisfies never
  }
}

function takeParts(parts: Parts, local: Local, body: readonly Part[]): void {
  for (const part of body) {
    if (part.type === 'get') local.register = parts.variables[part.variable]!.get()
    else if (part.type === 'set') parts.variables[part.variable]!.set(valueOf(part.value, local.register))
    else if (part.type === 'merge') parts.variables[part.variable]!.merge((value) => value + 1)
    else if (part.type === 'set-signal') parts.signals[part.signal]!.set()
    else if (local.register === part.equals) takeParts(parts, local, part.body)
  }
}
