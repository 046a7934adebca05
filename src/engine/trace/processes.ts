import { column, grown } from './columns.ts'
import { EngineError } from '../errors.ts'
import type { Ordinal, ProcessId } from '../ids.ts'

/** A step number that stands for no step. */
export const NONE = -1

/**
 * Processes. Their ids are interned for the whole exploration; within one execution each also has an
 * ordinal, its place in the order of creation, which clocks, sleep sets and schedules are written in.
 * Executions that share a prefix of steps share the ordinals of the processes created in it.
 */
export class Processes {
  /** Of this execution. */
  count = 0
  /** By ordinal: last step, or NONE. */
  lastStep = new Int32Array(8)
  /** By ordinal: steps so far. */
  steps = new Int32Array(8)
  /** By ordinal: the step that created it, or NONE. */
  #birth = new Int32Array(8)
  #children = new Int32Array(8)
  readonly #ids: ProcessId[] = []
  /** By id: the ordinal, if the generation is this execution's. */
  #ordinal = column<Ordinal>(8)
  #generation = new Int32Array(8)
  #execution = 0
  #roots = 0
  #interned = 0
  readonly #rootIds: ProcessId[] = []
  /** By id: the parent, or NONE, and the number among its children. */
  readonly #parent: number[] = []
  readonly #birthNumber: number[] = []
  /** By parent's id: ids in the order of spawning. */
  readonly #childIds: ProcessId[][] = []

  /** All that were ever created, in the order of their ids: their parents, NONE of a root. */
  get parents(): readonly number[] {
    return this.#parent
  }

  /** Gives those the ids that they have there. Before the first execution. */
  restore(parents: readonly number[]): void {
    for (const parent of parents) {
      const siblings = parent === NONE ? this.#rootIds : (this.#childIds[parent] ??= [])
      this.#named(siblings, siblings.length, parent)
    }
  }

  begin(): void {
    this.count = 0
    this.#roots = 0
    this.#execution++
  }

  /** A process that `birth` (a step, or NONE) comes before. */
  create(parent: ProcessId | undefined, birth: number): ProcessId {
    const id = this.#intern(parent)
    const ordinal = this.count++ as Ordinal
    this.#reserve(ordinal + 1)
    this.#ids[ordinal] = id
    this.lastStep[ordinal] = NONE
    this.steps[ordinal] = 0
    this.#birth[ordinal] = birth
    this.#children[ordinal] = 0
    this.#ordinal[id] = ordinal
    this.#generation[id] = this.#execution
    return id
  }

  /** Whether the process was created in this execution. */
  exists(id: ProcessId): boolean {
    return this.#generation[id] === this.#execution
  }

  ordinal(id: ProcessId): Ordinal {
    if (this.#generation[id] !== this.#execution) {
      throw new EngineError(`process ${id} was not created in this execution`)
    }
    return this.#ordinal[id] as Ordinal
  }

  /** The same of one that is to take a step as in an earlier execution. Where nobody has created it this time: what no process has. */
  planned(id: ProcessId): Ordinal {
    return this.exists(id) ? this.ordinal(id) : (this.count as Ordinal)
  }

  id(ordinal: Ordinal): ProcessId {
    return this.#ids[ordinal] as ProcessId
  }

  /** The step that comes before the process's next step in program order: its last, else the one that created it. */
  origin(ordinal: Ordinal): number {
    const last = this.lastStep[ordinal] as number
    return last === NONE ? (this.#birth[ordinal] as number) : last
  }

  /** Undefined of those that nobody has created. */
  parent(id: ProcessId): ProcessId | undefined {
    const parent = this.#parent[id] as number
    return parent === NONE ? undefined : (parent as ProcessId)
  }

  /** Whether it is that process, or was created by it or by one that it created. */
  isWithin(id: ProcessId, ancestor: ProcessId): boolean {
    for (let process: ProcessId | undefined = id; process !== undefined; process = this.parent(process)) if (process === ancestor) return true
    return false
  }

  /** An order of processes that is the same in every exploration of a program: a parent before its children, siblings by age. */
  compare(one: ProcessId, other: ProcessId): number {
    if (this.#parent[one] === this.#parent[other]) return (this.#birthNumber[one] as number) - (this.#birthNumber[other] as number)
    const path = this.#path(one)
    const otherPath = this.#path(other)
    for (let i = 0; i < path.length && i < otherPath.length; i++) {
      const difference = (path[i] as number) - (otherPath[i] as number)
      if (difference !== 0) return difference
    }
    return path.length - otherPath.length
  }

  #path(id: ProcessId): number[] {
    const path: number[] = []
    for (let ancestor: number = id; ancestor !== NONE; ancestor = this.#parent[ancestor] as number) {
      path.push(this.#birthNumber[ancestor] as number)
    }
    return path.toReversed()
  }

  #intern(parent: ProcessId | undefined): ProcessId {
    if (parent === undefined) return this.#named(this.#rootIds, this.#roots++, NONE)
    const ordinal = this.ordinal(parent)
    const index = this.#children[ordinal] as number
    this.#children[ordinal] = index + 1
    return this.#named((this.#childIds[parent] ??= []), index, parent)
  }

  #named(siblings: ProcessId[], index: number, parent: number): ProcessId {
    const known = siblings[index]
    if (known !== undefined) return known
    const id = this.#interned++ as ProcessId
    this.#ordinal = grown(this.#ordinal, id + 1)
    this.#generation = grown(this.#generation, id + 1)
    siblings[index] = id
    this.#parent[id] = parent
    this.#birthNumber[id] = index
    return id
  }

  #reserve(count: number): void {
    if (count <= this.lastStep.length) return
    this.lastStep = grown(this.lastStep, count)
    this.steps = grown(this.steps, count)
    this.#birth = grown(this.#birth, count)
    this.#children = grown(this.#children, count)
  }
}
