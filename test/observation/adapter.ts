import { Search, program, type Equivalence, type KeyedMap, type List, type Operation, type Outcome, type Program, type ProgramBuilder, type Shared } from '../../src/engine/index.ts'
import type { SystematicName } from '../../src/engine/options.ts'
import { algorithmNamed } from '../../src/engine/algorithms/algorithms.ts'
import type { MakeAlgorithm } from '../../src/engine/algorithms/algorithm.ts'
import type { ObservationRules } from '../../src/engine/observation/rules.ts'
import { ProgramDriver } from '../../src/engine/program/program-driver.ts'
import type { Trace } from '../../src/engine/trace/trace.ts'
import { addressOf, meets, outcomeOf, valueOf, type Ast, type Part, type Register, type Single } from './ast.ts'

export interface Choice {
  readonly algorithm: SystematicName
  readonly equivalence?: Equivalence
  readonly rules?: ObservationRules | undefined
  readonly makeAlgorithm?: MakeAlgorithm | undefined
  /** Whether the result of a push is a look at the list, as it has to be; false shows what is lost otherwise. Default true. */
  readonly resultsAreLooks?: boolean
}

/** One complete execution: what it showed, and who ran, with what happens before what. */
export interface Explored {
  readonly outcome: string
  readonly schedule: readonly number[]
  /** Whether the step with the first number happens before the one with the second. */
  readonly before: (first: number, second: number) => boolean
}

export interface EngineRun {
  /** Of the last pass. */
  readonly outcomes: ReadonlySet<string>
  readonly executions: number
  readonly blocked: number
  readonly passes: number
}

/** Explores the program; `visit` is called at the end of each complete execution. */
export function runEngine(ast: Ast, choice: Choice, visit?: (explored: Explored) => void): EngineRun {
  let trace: Trace | undefined
  const make: MakeAlgorithm = (given) => {
    trace = given
    return choice.makeAlgorithm?.(given) ?? algorithmNamed(choice.algorithm, given)
  }
  const shown: { now: Showing | undefined } = { now: undefined }
  const outcomes = new Set<string>()
  const ending: { status: Outcome['status'] | undefined; explored: Omit<Explored, 'outcome'> | undefined } = { status: undefined, explored: undefined }
  class Watched extends Search {
    override finish(outcome: Outcome): void {
      ending.status = outcome.status
      if (visit !== undefined && outcome.status === 'complete') ending.explored = exploredIn(trace!)
      super.finish(outcome)
    }
  }
  const { equivalence = 'observation', algorithm } = choice
  const search = new Watched({ stopOnFirst: false, algorithm, equivalence, maxExecutions: 20_000 }, make, undefined, choice.rules)
  const driver = new ProgramDriver(toProgram(ast, shown, choice), search)
  let passes = 1
  while (search.next()) {
    const result = search.result()
    if (result.passes !== passes) outcomes.clear()
    passes = result.passes
    shown.now = undefined
    driver.execute()
    if (ending.status !== 'complete') continue
    const outcome = outcomeOf(shown.now!)
    outcomes.add(outcome)
    visit?.({ ...ending.explored!, outcome })
  }
  const { executions, blocked, inconclusiveReason } = search.result()
  if (inconclusiveReason !== undefined) throw new Error(inconclusiveReason)
  return { outcomes, executions, blocked, passes: search.result().passes }
}

function exploredIn(trace: Trace): Omit<Explored, 'outcome'> {
  const { steps } = trace
  const count = steps.count
  const before = Array.from({ length: count }, (_, second) => Array.from({ length: count }, (__, first) => first !== second && trace.happensBefore(first, second)))
  return { schedule: [...steps.process.subarray(0, count)], before: (first, second) => before[second]![first]! }
}

interface Showing {
  logs: Register[][]
  ends: ('done' | 'threw' | 'stuck')[]
  end: Register[] | undefined
}

function toProgram(ast: Ast, shown: { now: Showing | undefined }, { resultsAreLooks = true }: Choice): Program {
  return program((builder) => {
    const showing: Showing = { logs: ast.threads.map(() => []), ends: ast.threads.map(() => 'stuck'), end: undefined }
    // The program may be run again before the execution ends, to find out whether a loop waits.
    shown.now ??= showing
    const parts: Parts = {
      ast,
      builder,
      resultsAreLooks,
      lengths: Array.from({ length: ast.lists }, () => 0),
      variables: Array.from({ length: ast.variables }, (_, i) => builder.shared<Register>(`v${i}`, 0)),
      lists: Array.from({ length: ast.lists }, (_, i) => builder.list<Register>(`l${i}`)),
      maps: Array.from({ length: ast.maps }, (_, i) => builder.map<string, Register>(`m${i}`)),
    }
    ast.threads.forEach((_, i) => builder.thread(`T${i}`, () => threadBody(parts, i, showing)))
    return () => {
      const log: Register[] = []
      const local: Local = { register: 0, log, isEnd: true }
      for (const part of ast.end) take(parts, local, part)
      showing.end = log
      return true
    }
  })
}

interface Parts {
  readonly ast: Ast
  readonly builder: ProgramBuilder
  readonly resultsAreLooks: boolean
  /** Of the lists, for results that are no looks. */
  readonly lengths: number[]
  readonly variables: readonly Shared<Register>[]
  readonly lists: readonly List<Register>[]
  readonly maps: readonly KeyedMap<string, Register>[]
}

interface Local {
  register: Register
  readonly log: Register[]
  readonly isEnd: boolean
}

function* threadBody(parts: Parts, thread: number, showing: Showing): Generator<Operation<unknown>, void> {
  const local: Local = { register: 0, log: showing.logs[thread]!, isEnd: false }
  for (const step of parts.ast.threads[thread]!) {
    if (step.when !== undefined && !meets(step.when, local.register)) continue
    try {
      if (step.type === 'until') see(local, yield* parts.builder.until(parts.variables[step.variable]!, (value) => (value === step.equals) !== step.negated))
      else if (step.type === 'single') yield* takeSingle(parts, local, step.part)
      else yield* parts.builder.atomic(() => step.body.forEach((part) => take(parts, local, part)))
    } catch (error) {
      showing.ends[thread] = 'threw'
      throw error
    }
  }
  showing.ends[thread] = 'done'
}

function see(local: Local, value: Register): void {
  local.register = value
  local.log.push(value)
}

function* takeSingle(parts: Parts, local: Local, part: Single): Generator<Operation<unknown>, void> {
  const { register } = local
  if ('variable' in part) {
    const variable = parts.variables[addressOf(part.variable, register, parts.ast.variables)]!
    if (part.type === 'get') see(local, yield* variable.read())
    else if (part.type === 'set') yield* variable.write(valueOf(part.value, register))
    else if (part.type === 'plus') yield* variable.add(part.amount)
    else see(local, yield* variable.update((value) => (value as number) + 1))
  } else if ('list' in part) {
    const list = parts.lists[part.list]!
    if (part.type === 'push') yield* list.push(valueOf(part.value, register))
    else if (part.type === 'pushAndCount' && !parts.resultsAreLooks) {
      yield* list.push(valueOf(part.value, register))
      see(local, ++parts.lengths[part.list]!)
    } else if (part.type === 'pushAndCount') see(local, yield* list.pushAndCount(valueOf(part.value, register)))
    else see(local, part.type === 'items' ? shownItems(yield* list.items()) : yield* list.length())
  } else {
    const map = parts.maps[part.map]!
    if (part.type === 'mapSet') yield* map.set(part.key, valueOf(part.value, register))
    else if (part.type === 'mapDelete') yield* map.delete(part.key)
    else if (part.type === 'mapClear') yield* map.clear()
    else if (part.type === 'mapGet') see(local, yield* map.get(part.key))
    else if (part.type === 'mapHas') see(local, yield* map.has(part.key))
    else if (part.type === 'mapKeys') see(local, (yield* map.keys()).join())
    else see(local, yield* map.size())
  }
}

function take(parts: Parts, local: Local, part: Part): void {
  if (part.type === 'throw') throw new Error('thrown by the program')
  if (part.type === 'if') {
    if (meets(part.condition, local.register)) part.body.forEach((inner) => take(parts, local, inner))
    return
  }
  const { register } = local
  if ('variable' in part) {
    const variable = parts.variables[addressOf(part.variable, register, parts.ast.variables)]!
    if (part.type === 'get') see(local, local.isEnd ? variable.value : variable.get())
    else if (part.type === 'set') variable.set(valueOf(part.value, register))
    else if (part.type === 'plus') variable.plus(part.amount)
    else {
      const next = (variable.get() as number) + 1
      variable.set(next)
      see(local, next)
    }
  } else if ('list' in part) takeOfList(parts, local, part)
  else takeOfMap(parts, local, part)
}

function takeOfList(parts: Parts, local: Local, part: Single & { list: number }): void {
  const { now } = parts.lists[part.list]!
  if (part.type === 'push') now.push(valueOf(part.value, local.register))
  else if (part.type === 'items') see(local, shownItems(now.items()))
  else if (part.type === 'length') see(local, now.length())
  else if ('value' in part) see(local, now.pushAndCount(valueOf(part.value, local.register)))
}

function takeOfMap(parts: Parts, local: Local, part: Single & { map: number }): void {
  const { now } = parts.maps[part.map]!
  if (part.type === 'mapSet') now.set(part.key, valueOf(part.value, local.register))
  else if (part.type === 'mapDelete') now.delete(part.key)
  else if (part.type === 'mapClear') now.clear()
  else if (part.type === 'mapGet') see(local, now.get(part.key))
  else if (part.type === 'mapHas') see(local, now.has(part.key))
  else if (part.type === 'mapKeys') see(local, now.keys().join())
  else see(local, now.size())
}

function shownItems(items: readonly Register[]): string {
  return items.map((item) => `${typeof item}:${Object.is(item, -0) ? '-0' : item}`).join()
}
