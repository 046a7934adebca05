import { Math } from '../../intrinsics.ts'
import { footprintsConflict } from '../../access.ts'
import type { Chance } from './chance.ts'
import type { Ordinal, ProcessId } from '../../ids.ts'
import type { Sampler } from './sampler.ts'
import type { Column } from '../../trace/columns.ts'
import { NONE } from '../../trace/processes.ts'
import type { Trace } from '../../trace/trace.ts'

/** Nodes that are remembered; below others each process is as likely. */
const mostNodes = 200_000

/** A prefix of executions that was met. */
interface Node {
  /** About how many classes begin with it and with nobody asleep. */
  size: number
  /** What the step that leads here accessed. */
  footprint: Int32Array
  readonly children: Map<ProcessId, Node>
}

interface Sleeper {
  readonly process: ProcessId
  readonly footprint: Int32Array
}

/**
 * A random walk down the tree of all executions in which each class has one (Godefroid's sleep sets, with the processes of a node in the order of their ids): each
 * process is taken with the share that its subtree has, as far as earlier walks have shown its size. What was not taken yet is taken to be
 * as large as its siblings on average. Once all sizes are known each class is as likely as any other.
 */
export class Walk implements Sampler {
  readonly #trace: Trace
  readonly #chance: Chance
  readonly #root = newNode()
  #nodes = 1
  /** Of the walk under way: the nodes, and for all but the last one who could be taken there. */
  #path: Node[] = []
  #awake: ProcessId[][] = []
  #asleep: readonly Sleeper[] = []
  #isGivenUp = false

  constructor(trace: Trace, chance: Chance) {
    this.#trace = trace
    this.#chance = chance
  }

  begin(): void {
    this.#path = [this.#root]
    this.#awake = []
    this.#asleep = []
    this.#isGivenUp = false
  }

  /** NONE where all are asleep: what begins so is met elsewhere. */
  choose(enabled: Column<Ordinal>, count: number): Ordinal | typeof NONE {
    const { processes } = this.#trace
    const node = this.#path.at(-1)!
    const awake: ProcessId[] = []
    for (let i = 0; i < count; i++) {
      const process = processes.id(enabled[i] as Ordinal)
      if (!this.#asleep.some((sleeper) => sleeper.process === process)) awake.push(process)
    }
    this.#isGivenUp = awake.length === 0
    if (this.#isGivenUp) return NONE
    awake.sort((a, b) => a - b)
    this.#awake.push(awake)
    const sizes = sizesOf(node, awake)
    return processes.ordinal(awake[this.#chance.oneOf(sizes)]!)
  }

  stepEnded(): void {
    if (this.#path.length === 0) return
    const { processes, steps } = this.#trace
    const step = steps.count - 1
    const process = processes.id(steps.process[step] as Ordinal)
    const node = this.#path.at(-1)!
    const child = this.#childOf(node, process)
    child.footprint = steps.footprint(step)
    const before = this.#awake.at(-1)!.filter((other) => other < process && node.children.has(other))
    const sleepers = [...this.#asleep, ...before.map((other) => ({ process: other, footprint: node.children.get(other)!.footprint }))]
    this.#asleep = sleepers.filter((sleeper) => sleeper.process !== process && !footprintsConflict(sleeper.footprint, child.footprint))
    this.#path.push(child)
  }

  ended(): void {
    const last = this.#path.pop()
    if (last === undefined) return
    last.size = this.#isGivenUp ? 0 : 1
    for (let node = this.#path.pop(); node !== undefined; node = this.#path.pop()) {
      node.size = sizesOf(node, this.#awake.pop()!).reduce((sum, size) => sum + size, 0)
    }
  }

  get classes(): number {
    return Math.round(this.#root.size)
  }

  #childOf(node: Node, process: ProcessId): Node {
    const known = node.children.get(process)
    if (known !== undefined) return known
    const child = newNode()
    if (this.#nodes >= mostNodes) return child
    this.#nodes++
    node.children.set(process, child)
    return child
  }
}

function newNode(): Node {
  return { size: 1, footprint: new Int32Array(0), children: new Map() }
}

function sizesOf({ children }: Node, awake: readonly ProcessId[]): number[] {
  const known = awake.flatMap((process) => children.get(process)?.size ?? [])
  const average = known.length === 0 ? 1 : known.reduce((sum, size) => sum + size, 0) / known.length
  return awake.map((process) => children.get(process)?.size ?? (average || 1))
}
