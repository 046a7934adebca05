import { Array } from './intrinsics.ts'
import type { Access } from './access.ts'
import type { ProcessId } from './ids.ts'

/** An option has a value that is not accepted. */
export class OptionError extends Error {
  override readonly name = 'OptionError'
  readonly option: string
  readonly value: unknown
  /** What to give instead. */
  readonly accepted: string

  constructor(option: string, value: unknown, accepted: string) {
    super(`option '${option}' is ${show(value)}: ${accepted}`)
    this.option = option
    this.value = value
    this.accepted = accepted
  }
}

/** A schedule string cannot be read, or no longer fits the program. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError'
  /** Of a text that cannot be read: the character. Of one that no longer fits: the step. Both from 0. */
  readonly position: number

  constructor(message: string, position: number) {
    super(message)
    this.position = position
  }
}

/** What was seen when a recorded step was taken again. */
export interface Divergence {
  readonly process: ProcessId
  /** From 0, within the execution. */
  readonly step: number
  readonly expected: readonly Access[]
  readonly actual: readonly Access[]
}

/** A recorded step did something else when it was taken again: the program does not depend on the schedule alone. */
export class DivergenceError extends Error implements Divergence {
  override readonly name = 'DivergenceError'
  readonly process: ProcessId
  readonly step: number
  readonly expected: readonly Access[]
  readonly actual: readonly Access[]

  constructor(what: string, { process, step, expected, actual }: Divergence) {
    super(
      `step ${step} (process ${process}) ${what}. The same schedule must lead to the same steps: look for a value ` +
        'that differs from run to run (a clock, a random number, state that outlives an execution)',
    )
    this.process = process
    this.step = step
    this.expected = expected
    this.actual = actual
  }
}

/** A model program asks for something that has no meaning, such as unlocking a lock that it does not hold. */
export class ProgramError extends Error {
  override readonly name = 'ProgramError'
}

/** The engine was driven in an order it does not allow, or broke one of its own rules: a bug, not the user's. */
export class EngineError extends Error {
  override readonly name = 'EngineError'

  constructor(message: string) {
    super(`internal bug of vitest-dpor: ${message}. Please report it with the program that led to it`)
    remember(this)
  }
}

let firstEngineError: EngineError | undefined

function remember(error: EngineError): void {
  firstEngineError ??= error
}

/** The first such error since this was asked for the last time: the program in whose step it was thrown may have caught it. */
export function takeEngineError(): EngineError | undefined {
  const taken = firstEngineError
  firstEngineError = undefined
  return taken
}

function show(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object'
  return String(value)
}
