import { ACQUIRE, UNTIL } from '../../access.ts'
import type { ExecutionGraph } from './execution-graph.ts'
import type { Maximality } from './maximality.ts'
import { grown } from '../../trace/columns.ts'
import { NONE } from '../../trace/processes.ts'
import type { Trace } from '../../trace/trace.ts'

/** The event that has another place in a graph than in the current one, and how it got there. */
export interface Move {
  readonly event: number
  /** What it revisits or displaces; NONE of an event that only reads from an earlier write. */
  readonly revisited: number
}

/** A graph that could be visited: events of the current one in an order that they could have come in, with their ranks. */
export class NextGraph {
  readonly #trace: Trace
  readonly #graph: ExecutionGraph
  count = 0
  event = new Int32Array(64)
  rank = new Int32Array(64)
  /** Undefined where all is as it is in the current graph. */
  move: Move | undefined
  /** The event whose process goes on. */
  turn: number = NONE
  /** By rank in the current graph: the rank in this one. */
  #newRank = new Int32Array(64)

  constructor(trace: Trace, graph: ExecutionGraph) {
    this.#trace = trace
    this.#graph = graph
  }

  /** The current graph when it had so many events. */
  beFirst(count: number): void {
    this.#begin(undefined)
    for (let event = 0; event < count; event++) this.#add(event, this.#graph.rank[event] as number)
  }

  /** The event comes just before the write, as one that reads: only it moves, with what it comes after. */
  readBefore(event: number, write: number): void {
    const { rank, origin } = this.#graph
    this.#begin({ event, revisited: NONE })
    for (let other = 0; other < write; other++) this.#add(other, rank[other] as number)
    for (let other = write; other < event; other++) if (this.#trace.isBefore(other, origin[event] as number)) this.#add(other, rank[other] as number)
    this.#add(event, event)
    for (let other = write; other < event; other++) if (!this.#trace.isBefore(other, origin[event] as number)) this.#add(other, rank[other] as number)
    this.turn = event
  }

  /** The event comes between what is revisited and what that read from, with nothing else added since but what stays. */
  revisit(move: Move, kept: Maximality): void {
    const { event, revisited } = move
    const { rank } = this.#graph
    this.#begin(move)
    const count = this.#rankAnew(kept)
    for (let other = 0; other < event; other++) if (other !== revisited && kept.stays(other)) this.#add(other, this.#newRank[rank[other] as number] as number)
    this.#add(event, count)
    if (!this.isDisplacing) this.#add(revisited, this.#newRank[rank[revisited] as number] as number)
    this.turn = this.isDisplacing ? event : revisited
  }

  /** Whether what is revisited goes: a lock is taken by another process, or who waited for a value may have to go on waiting. */
  get isDisplacing(): boolean {
    const { kind } = this.#graph
    return this.#isRevisit && (kind[this.move!.event] === ACQUIRE || kind[this.move!.revisited] === UNTIL)
  }

  /** Whether the event displaces another one, now or since before. */
  displaces(event: number): boolean {
    return this.isRevisiting(event) ? this.isDisplacing : this.#graph.displaces[event] === 1
  }

  /** Whether the event has moved to where it only reads. */
  isMovedRead(event: number): boolean {
    return event === this.move?.event && !this.#isRevisit
  }

  /** Whether the event has moved to where it revisits another one, or displaces it. */
  isRevisiting(event: number): boolean {
    return event === this.move?.event && this.#isRevisit
  }

  get #isRevisit(): boolean {
    return this.move !== undefined && this.move.revisited !== NONE
  }

  #begin(move: Move | undefined): void {
    this.count = 0
    this.move = move
  }

  /** The ranks of what stays; how many there are. */
  #rankAnew(kept: Maximality): number {
    const { event, revisited } = this.move!
    this.#newRank = grown(this.#newRank, event)
    let count = 0
    for (let rank = 0; rank < event; rank++) {
      const other = this.#graph.ranked[rank] as number
      if (other === revisited ? !this.isDisplacing : kept.stays(other)) this.#newRank[rank] = count++
    }
    return count
  }

  #add(event: number, rank: number): void {
    const at = this.count++
    if (at >= this.event.length) {
      this.event = grown(this.event, this.count)
      this.rank = grown(this.rank, this.count)
    }
    this.event[at] = event
    this.rank[at] = rank
  }
}
