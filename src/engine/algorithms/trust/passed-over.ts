import { column, grown, type Column } from '../../trace/columns.ts'
import type { ProcessId } from '../../ids.ts'

/**
 * Processes that wait for a value and were passed over: what they could have read then they leave to other graphs. By entry the process, and
 * how many events the graph had.
 */
export class PassedOver {
  count = 0
  process: Column<ProcessId> = column<ProcessId>(8)
  events = new Int32Array(8)

  clear(): void {
    this.count = 0
  }

  add(process: ProcessId, events: number): void {
    const entry = this.count++
    this.process = grown(this.process, this.count)
    this.events = grown(this.events, this.count)
    this.process[entry] = process
    this.events[entry] = events
  }

  /** Those of another graph that had at most so many events then. */
  addAll(others: PassedOver, most: number): void {
    for (let i = 0; i < others.count; i++) if ((others.events[i] as number) <= most) this.add(others.process[i] as ProcessId, others.events[i] as number)
  }

  /** Whether the process was passed over when it already waited, and could have read from the source. By their ranks; NONE is less than all. */
  has(process: ProcessId, { origin, source }: { readonly origin: number; readonly source: number }): boolean {
    for (let i = 0; i < this.count; i++) {
      const events = this.events[i] as number
      if (this.process[i] === process && origin < events && source < events) return true
    }
    return false
  }
}
