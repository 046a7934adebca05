import { changes } from './accesses.ts'
import type { Finding } from './finding.ts'
import type { InputRecording, Place } from './input.ts'

/** A call that goes on while others do, as nobody waits for it. */
export interface Begin {
  /** Ordinal of the process that it became. */
  readonly begun: number
  /** Who called. */
  readonly process: number
  readonly step: number
  readonly place: Place
}

/** Of somebody who looks before another one has changed that: where the other one was called. */
export function beginOf(finding: Finding, recording: Pick<InputRecording, 'steps' | 'begunAt'>): Begin | undefined {
  return finding.pattern === 'order-violation' && finding.first.kind === 'read' && changes(finding.second) ? begunBy(finding.second.process, recording) : undefined
}

/** Where a process was called, if it is a call. */
export function begunBy(begun: number, { steps, begunAt }: Pick<InputRecording, 'steps' | 'begunAt'>): Begin | undefined {
  const place = begunAt?.[begun]
  const step = steps.findIndex(({ spawned }) => spawned.includes(begun))
  return place && step >= 0 ? { begun, process: steps[step]!.process, step, place } : undefined
}
