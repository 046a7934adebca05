import { column, grown, type Column } from '../../trace/columns.ts'
import type { ProcessId } from '../../ids.ts'
import { PassedOver } from './passed-over.ts'

/**
 * Graphs that are still to be explored, each as a linearisation of it: a stack of one array, so that memory is that of the graphs on
 * the way to the current one, whose number is polynomial.
 */
export class Beginnings {
  /** How many there are. */
  waiting = 0
  #cells = new Int32Array(1024)
  #top = 0
  #start = 0
  /** Where the one taken last ended. */
  #takenTop = 0
  /** Of the one taken last: how many events it has, */
  length = 0
  /** who was passed over, */
  readonly passedOver = new PassedOver()
  /** whose turn it is then, */
  turn = 0 as ProcessId
  /** and of each event the process, the rank, and whether it displaced another one. */
  process: Column<ProcessId> = column<ProcessId>(64)
  rank = new Int32Array(64)
  displaces = new Int32Array(64)

  begin(): void {
    this.#start = this.#top
  }

  add(process: ProcessId, { rank, displaces }: { readonly rank: number; readonly displaces: boolean }): void {
    this.#push(process)
    this.#push(rank * 2 + (displaces ? 1 : 0))
  }

  end(turn: ProcessId, passedOver: PassedOver): void {
    const length = (this.#top - this.#start) / 2
    for (let i = 0; i < passedOver.count; i++) {
      this.#push(passedOver.process[i] as number)
      this.#push(passedOver.events[i] as number)
    }
    this.#push(passedOver.count)
    this.#push(turn)
    this.#push(length)
    this.waiting++
  }

  /** As it was before the last one was taken. */
  save(): number[] {
    return [...this.#cells.subarray(0, this.#takenTop)]
  }

  /** Adds what was saved, or one that was taken out. */
  restore(cells: readonly number[]): void {
    for (const cell of cells) this.#push(cell)
    for (let top = this.#top; top > this.#top - cells.length; top = this.#startOf(top)) this.waiting++
  }

  /** Takes all of them out, the one added last first. */
  takeAll(): number[][] {
    const all: number[][] = []
    for (; this.waiting > 0; this.waiting--) {
      const start = this.#startOf(this.#top)
      all.push([...this.#cells.subarray(start, this.#top)])
      this.#top = start
    }
    return all
  }

  /** Where the one begins that ends there. */
  #startOf(end: number): number {
    const [length, passedOver] = [this.#cells[end - 1] as number, this.#cells[end - 3] as number]
    return end - 3 - 2 * (passedOver + length)
  }

  /** The one that was added last. */
  take(): void {
    this.#takenTop = this.#top
    this.length = this.#pop()
    this.turn = this.#pop() as ProcessId
    this.passedOver.clear()
    for (let left = this.#pop(); left > 0; left--) {
      const events = this.#pop()
      this.passedOver.add(this.#pop() as ProcessId, events)
    }
    this.#reserve(this.length)
    for (let i = this.length - 1; i >= 0; i--) {
      const place = this.#pop()
      this.rank[i] = place >> 1
      this.displaces[i] = place & 1
      this.process[i] = this.#pop() as ProcessId
    }
    this.waiting--
  }

  #push(value: number): void {
    this.#cells = grown(this.#cells, this.#top + 1)
    this.#cells[this.#top++] = value
  }

  #pop(): number {
    return this.#cells[--this.#top] as number
  }

  #reserve(length: number): void {
    this.process = grown(this.process, length)
    this.rank = grown(this.rank, length)
    this.displaces = grown(this.displaces, length)
  }
}
