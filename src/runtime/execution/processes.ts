import type { ProcessId } from '../../engine/ids.ts'
import type { Execution } from './execution.ts'
import { Process, ProcessNames, type Call, type Continuation, type FirstStep } from './process.ts'
import type { Witness } from './told-access.ts'

/** The lines of control of an execution: who creates them, and which call goes on as which. */
export class Processes {
  readonly #execution: Execution
  readonly #witness: Witness | undefined
  readonly #names = new ProcessNames()
  /** Those that were created before the explored part. */
  readonly #bornAlone: Process[] = []
  /** The first `#bornCount`: to empty an array by its length is not for nothing. */
  readonly #born: (Call | undefined)[] = []
  #bornCount = 0

  constructor(execution: Execution, witness: Witness | undefined) {
    this.#execution = execution
    this.#witness = witness
  }

  /** The explored part begins with these. */
  begin(starts: readonly FirstStep[]): void {
    for (const start of starts) start.process = this.root(new Process(-1, start.name))
    if (starts.length + this.#bornAlone.length > 1) this.#execution.line?.breaks()
    for (const process of this.#bornAlone) this.root(process)
  }

  /** Some were created before the explored part. */
  get areOlder(): boolean {
    return this.#bornAlone.length > 0
  }

  /** It is there from now on, whoever runs. */
  root(process: Process): Process {
    const { search } = this.#execution
    const id = search.spawn()
    process.id = id
    this.#witness?.spawned(search.ordinal(id), process.name)
    return process
  }

  /** The same of those that are used for the first time after the explored part has begun, and were there before: they change no number of others. */
  rootLater(processes: readonly Process[]): void {
    if (!this.#execution.accesses.isExploring || processes.every(({ id }) => id !== -1)) return
    this.#execution.line?.breaks()
    for (const process of processes) if (process.id === -1) this.root(process)
  }

  /** Creates a process that starts after the running step. */
  spawn(name: string): Process {
    if (this.#execution.accesses.isExploring) this.#execution.line?.breaks()
    return this.spawnTimer(name)
  }

  /** The same for a timer, which fires when nothing else can run: until then it is no other line. */
  spawnTimer(name: string): Process {
    const { accesses } = this.#execution
    if (!accesses.isExploring) {
      const waiting = new Process(-1, name)
      this.#bornAlone.push(waiting)
      return waiting
    }
    const process = this.#create(this.#names.next(name))
    accesses.loop?.spawns(process)
    return process
  }

  /** Creates a process that goes on where that one was, to the reader the same one. */
  spawnAnother({ name }: Process): Process {
    return this.#execution.accesses.isExploring ? this.#createBeside(name) : this.spawn(name)
  }

  /** Creates a process that does something for that one, which waits for it: to the reader the same one. */
  spawnFor(other: Process): Process {
    const { accesses, search } = this.#execution
    return accesses.isExploring && other.id !== -1 ? this.#createBeside(other.name, search.ordinal(other.id)) : this.spawn(other.name)
  }

  #createBeside(name: string, standsFor?: number): Process {
    this.#execution.line?.breaks()
    return this.#create(name, standsFor)
  }

  /** `standsFor`: the process for which it does something. */
  #create(name: string, standsFor?: number): Process {
    const { process: creator, search } = this.#execution
    const process = new Process(search.spawn(creator.id as ProcessId), name)
    process.inherits(creator)
    this.#witness?.spawned(search.ordinal(process.id as ProcessId), name, standsFor)
    return process
  }

  /** A call began in the running step; at the step's end it gets a process if it has not ended by then. */
  began(call: Call): void {
    const { accesses, recorder } = this.#execution
    accesses.loop?.own.add(call)
    recorder?.began(call)
    this.#born[this.#bornCount++] = call
  }

  /** A call that its caller awaits at once goes on as its caller's line of control; the others are processes of their own. `current`: what the step went on with. */
  assign(current: Continuation): void {
    this.#handOver(current, this.#execution.process)
    for (let i = 0; i < this.#bornCount; i++) {
      const call = this.#born[i]!
      this.#born[i] = undefined
      if (call.process === undefined && call.isSuspended) this.#handOver(call, this.spawn(call.name))
    }
    this.#bornCount = 0
  }

  #handOver(continuation: Continuation, process: Process): void {
    let next: Continuation | undefined = continuation
    while (next) {
      next.process = process
      if (next.loop !== undefined) process.loop = next.loop
      next = next.delegate()
      if (next?.process !== undefined) return
    }
  }
}
