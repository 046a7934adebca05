import { checkOf } from './check.ts'
import type { Algorithm, EndedExecution } from '../algorithms/algorithm.ts'
import { ProgramChanged } from './program-changed.ts'
import type { Ordinal, ProcessId } from '../ids.ts'
import type { Column } from '../trace/columns.ts'
import type { Identity } from '../algorithms/known-footprints.ts'
import type { SavedBranch, SavedRace, SavedStack } from './saved.ts'
import { NONE } from '../trace/processes.ts'
import type { Trace } from '../trace/trace.ts'

/** A step that was run again. */
export interface FoundStep {
  readonly process: ProcessId
  readonly footprint: Int32Array
  readonly identity: Identity | undefined
}

/** What was found out of the steps that are still to be taken. */
export interface FoundAgain {
  readonly branches: ReadonlyMap<SavedBranch, FoundStep>
  readonly races: ReadonlyMap<SavedRace, readonly FoundStep[]>
}

/** An algorithm that goes on from a search stack. */
export interface Resumable extends Algorithm {
  /** Between two executions, after `advance`. */
  save(): SavedStack
  /** The execution is at a new node. */
  open(node: number): void
  /** The last step taken at the node has been explored. */
  done(node: number): void
  /** What is to be known of a step beside its footprint. */
  identity(step: number): Identity | undefined
  /** All that was done is done: what is left is as it was. */
  goOn(saved: SavedStack, found: FoundAgain): void
}

/** What is done once everything is as it was. */
export interface Checked {
  /** A hash of what so many steps of the next execution do. */
  readonly check: number
  readonly steps: number
  readonly restored: () => void
}

/** An execution that begins with so many steps of the stack, and these. */
interface Task {
  readonly node: number
  readonly steps: readonly ProcessId[]
  readonly ended: () => void
}

/** Brings an algorithm to where it was: each step that was explored from a node of the stack, and each still to be taken, is run once. None of that counts. */
export class Restoring implements Algorithm {
  readonly #trace: Trace
  readonly #algorithm: Resumable
  readonly #saved: SavedStack
  readonly #checked: Checked
  readonly #tasks: Task[]
  readonly #branches = new Map<SavedBranch, FoundStep>()
  readonly #races = new Map<SavedRace, readonly FoundStep[]>()
  /** What is run now; undefined once everything is as it was. */
  #task: Task | undefined

  constructor(trace: Trace, algorithm: Resumable, { stack, checked }: { readonly stack: SavedStack; readonly checked: Checked }) {
    this.#trace = trace
    this.#algorithm = algorithm
    this.#saved = stack
    this.#checked = checked
    this.#tasks = stack.nodes.flatMap((_, node) => this.#tasksAt(node))
    this.#task = this.#tasks.shift()
  }

  get counts(): boolean {
    return this.#task === undefined && this.#algorithm.counts !== false
  }

  get doubt(): string | undefined {
    return this.#algorithm.doubt
  }

  choose(enabled: Column<Ordinal>, count: number): Ordinal | typeof NONE {
    if (this.#task === undefined) return this.#algorithm.choose(enabled, count)
    const { processes, steps } = this.#trace
    const at = steps.count
    const { node, steps: own } = this.#task
    const process = at < node ? this.#saved.steps[at] : own[at - node]
    if (process === undefined) return NONE
    this.#algorithm.open(at)
    return processes.planned(process)
  }

  missing(process: Ordinal): void {
    if (this.#task !== undefined) throw new ProgramChanged()
    this.#algorithm.missing?.(process)
  }

  stepEnded(): void {
    this.#algorithm.stepEnded()
  }

  ended(execution: EndedExecution): void {
    if (this.#task === undefined) return this.#algorithm.ended(execution)
    const { node, steps, ended } = this.#task
    if (this.#trace.steps.count < node + steps.length) throw new ProgramChanged()
    ended()
    if (this.#tasks.length === 0) this.#goOn()
  }

  get more(): boolean {
    return this.#task !== undefined || this.#algorithm.more
  }

  advance(): number {
    if (this.#task === undefined) return this.#algorithm.advance()
    const { node } = this.#task
    this.#task = this.#tasks.shift()
    return this.#task === undefined ? this.#saved.steps.length : node
  }

  save(): SavedStack {
    return this.#algorithm.save()
  }

  #tasksAt(node: number): Task[] {
    const { done, left, deferred } = this.#saved.nodes[node]!
    const toTake = node === this.#saved.steps.length ? [this.#saved.branch, ...left] : left
    return [
      ...toTake.flatMap((branch) => pathsOf(branch)).map((path) => ({ node, steps: path.map(({ process }) => process), ended: () => path.forEach((branch, i) => this.#branches.set(branch, this.#found(node + i))) })),
      ...deferred.map((race) => this.#taskOf(race, node)),
      // What sleeps here keeps its accesses behind those of the stack, one after the other: these come last.
      ...done.map((process) => ({ node, steps: [process], ended: () => this.#algorithm.done(node) })),
    ]
  }

  #taskOf(race: SavedRace, node: number): Task {
    const steps = race.last === undefined ? race.steps : [...race.steps, race.last]
    return { node, steps, ended: () => this.#races.set(race, steps.map((_, i) => this.#found(node + i))) }
  }

  #found(step: number): FoundStep {
    const { processes, steps } = this.#trace
    return { process: processes.id(steps.process[step] as Ordinal), footprint: steps.footprint(step), identity: this.#algorithm.identity(step) }
  }

  #goOn(): void {
    if (checkOf(this.#trace, this.#checked.steps) !== this.#checked.check) throw new ProgramChanged()
    this.#checked.restored()
    this.#algorithm.goOn(this.#saved, { branches: this.#branches, races: this.#races })
  }
}

/** From the branch to each of its ends. */
function pathsOf(branch: SavedBranch): SavedBranch[][] {
  return branch.next.length === 0 ? [[branch]] : branch.next.flatMap((next) => pathsOf(next)).map((path) => [branch, ...path])
}
