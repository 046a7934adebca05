import { Search, program, type AlgorithmName, type Operation, type Outcome, type ProcessId, type Program, type ProgramBuilder, type Shared, type Signal, type Mutex, type Thread } from '../../src/engine/index.ts'
import type { MakeAlgorithm } from '../../src/engine/algorithms/algorithm.ts'
import { Operation as Step } from '../../src/engine/program/operations.ts'
import { ProgramDriver } from '../../src/engine/program/program-driver.ts'
import { addressOf, satisfies, valueOf, type Address, type Action, type Ast, type Part } from './ast.ts'

export interface EngineRun {
  readonly schedules: readonly (readonly number[])[]
  readonly executions: number
  readonly blocked: number
  /** A loop that waits makes a difference by how often it goes round: the verdict says so, and the exploration ends. */
  readonly isRefused: boolean
}

/** An algorithm by its name, or one with some of its rules. */
export interface Choice {
  readonly algorithm?: AlgorithmName | undefined
  readonly makeAlgorithm?: MakeAlgorithm | undefined
}

interface Running extends Choice {
  /** Called after each execution, with how many complete ones there were so far. */
  readonly onExecution?: (complete: number) => void
}

/** What the engine explores of the program. */
export function runEngine(ast: Ast, { algorithm, makeAlgorithm, onExecution }: Running = {}): EngineRun {
  const search = new ListingSearch({ stopOnFirst: false, algorithm }, makeAlgorithm)
  const driver = new ProgramDriver(toProgram(ast), search)
  while (search.next()) {
    driver.execute()
    onExecution?.(search.schedules.length)
  }
  const { executions, blocked, inconclusiveReason } = search.result()
  return { schedules: search.schedules, executions, blocked, isRefused: inconclusiveReason?.startsWith('a loop that waits') ?? false }
}

/** Lists the schedules of all complete executions, one that comes twice twice. */
class ListingSearch extends Search {
  readonly schedules: number[][] = []
  #schedule: number[] = []

  override choose(enabled: readonly ProcessId[]): ProcessId | undefined {
    const process = super.choose(enabled)
    if (process !== undefined) this.#schedule.push(this.ordinal(process))
    return process
  }

  override finish(outcome: Outcome): void {
    super.finish(outcome)
    if (outcome.status === 'complete') this.schedules.push(this.#schedule)
    this.#schedule = []
  }
}

/** The same program for the engine. Its invariant is always false, so that every execution is listed among the failures. */
export function toProgram(ast: Ast): Program {
  return program((builder) => {
    const parts: Parts = {
      ast,
      builder,
      variables: Array.from({ length: ast.variables }, (_, i) => builder.shared(`v${i}`, ast.initial?.[i] ?? 0)),
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

interface Looked {
  readonly variables: readonly Shared<number>[]
  /** The step that has looked at them. */
  readonly step: number
}

/** Looks at variables, and again once one of them has changed. */
class Look extends Step<Looked> {
  override readonly label = 'look'
  readonly #isFixed: boolean
  readonly #variables: readonly Shared<number>[]
  readonly #since: number | undefined
  readonly #found: (value: number) => void

  constructor(variables: readonly Shared<number>[], { since, fixed, found }: { readonly since?: number; readonly fixed: boolean; readonly found: (value: number) => void }) {
    super(variables[0]!.run)
    this.#variables = variables
    this.#since = since
    this.#found = found
    this.#isFixed = fixed
  }

  override get fixed(): boolean {
    return this.#isFixed
  }

  override get enabled(): boolean {
    const since = this.#since
    return since === undefined || this.#variables.some(({ location }) => this.run.search.hasChanged(location, since))
  }

  override waiting() {
    return { what: 'a change', step: undefined }
  }

  protected override take(): Looked {
    const { search, step } = this.run
    for (const { location } of this.#variables) {
      if (this.#since === undefined) search.read(location)
      else search.awaitChange(location, this.#since)
    }
    const values = this.#variables.map((variable) => variable.look())
    this.run.inAtomic = true
    this.#found(values.at(-1)!)
    this.run.inAtomic = false
    return { variables: this.#variables, step }
  }
}

interface Local {
  register: number
  /** What it last looked at. */
  looked: Looked | undefined
  readonly held: Set<number>
}

function* threadBody(parts: Parts, thread: number): Generator<Operation<unknown>, void> {
  const local: Local = { register: 0, looked: undefined, held: new Set() }
  const { steps } = parts.ast.threads[thread]!
  const gone = steps.map(() => 0)
  for (let i = 0; i < steps.length; ) {
    const { when, skips = 1, action } = steps[i]!
    const applies = when === undefined || when === local.register
    if (action.type === 'back') {
      if (satisfies(action.while, local.register) && gone[i]! < (action.most ?? Infinity)) {
        // Which of endless rounds it is makes no difference.
        if (action.most !== undefined) gone[i]!++
        i -= action.steps
        continue
      }
    } else if (applies) yield* take(parts, local, action)
    i += applies ? 1 : skips
  }
}

function* take(parts: Parts, local: Local, action: Exclude<Action, { type: 'back' }>): Generator<Operation<unknown>, void> {
  const { builder, variables, locks, signals, threads } = parts
  switch (action.type) {
    case 'read':
      local.register = yield* variableAt(parts, local, action.variable).read()
      return
    case 'write':
      return yield* variableAt(parts, local, action.variable).write(valueOf(action.value, local.register))
    case 'add':
      yield* variableAt(parts, local, action.variable).update((value) => value + 1)
      return
    case 'combine':
      return yield* variableAt(parts, local, action.variable).combine((value) => value + 1)
    case 'swap':
      local.register = Number(yield* variableAt(parts, local, action.variable).compareAndSwap(action.expected, action.next))
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
    case 'look':
      local.looked = yield* new Look(action.variables.map((variable) => variables[variable]!), {
        fixed: true,
        found: (value) => (local.register = value),
      })
      return
    case 'again': {
      if (local.looked === undefined) return yield* builder.atomic(() => takeParts(parts, local, action.body))
      const { variables: looked, step: since } = local.looked
      const found = (value: number): void => {
        local.register = value
        takeParts(parts, local, action.body)
      }
      local.looked = yield* new Look(looked, { since, fixed: action.body.length === 0, found })
      return
    }
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

function variableAt({ ast, variables }: Parts, { register }: Local, address: Address): Shared<number> {
  return variables[addressOf(address, ast, register)]!
}

function takeParts(parts: Parts, local: Local, body: readonly Part[]): void {
  for (const part of body) {
    if (part.type === 'get') local.register = variableAt(parts, local, part.variable).get()
    else if (part.type === 'set') variableAt(parts, local, part.variable).set(valueOf(part.value, local.register))
    else if (part.type === 'merge') variableAt(parts, local, part.variable).merge((value) => value + 1)
    else if (part.type === 'set-signal') parts.signals[part.signal]!.set()
    else if (local.register === part.equals) takeParts(parts, local, part.body)
  }
}
