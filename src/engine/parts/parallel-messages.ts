import { Object } from '../intrinsics.ts'
import type { OptionError } from '../errors.ts'
import type { SearchOptions } from '../options.ts'
import type { Exploration, Failure } from '../outcome.ts'
import { DeadlockError } from '../program/deadlock.ts'
import { LivelockError } from '../program/livelock.ts'

/** What a worker is given. */
export interface WorkerTask {
  /** URL of the module that has the program, and the name of its export. */
  readonly module: string
  readonly name: string
  readonly options: SearchOptions
  readonly memory: SharedArrayBuffer
  /** Which of how many workers it is, from 0. */
  readonly worker: number
  readonly workers: number
}

/** What a worker tells, once: its share of the result, what is wrong with the module, or with what it was to go on from. */
export type WorkerMessage =
  | { readonly result: PortableExploration; readonly isOver: boolean }
  | { readonly problem: string; readonly cause: PortableError }
  | { readonly refusal: Pick<OptionError, 'option' | 'value' | 'accepted'> }

export type PortableExploration = Omit<Exploration, 'failures'> & { readonly failures: readonly PortableFailure[] }

export interface PortableFailure extends Omit<Failure, 'error'> {
  readonly error: PortableError
}

/** What was thrown, in a form that can be sent to another thread. */
export type PortableError =
  | { readonly isError: true; readonly name: string; readonly message: string; readonly stack: string | undefined }
  | { readonly isError: false; readonly value: unknown }

export function portableResult(result: Exploration): PortableExploration {
  return { ...result, failures: result.failures.map(portable) }
}

export function portable(failure: Failure): PortableFailure {
  return { ...failure, error: toPortable(failure.error) }
}

export function restored(failure: PortableFailure): Failure {
  return { ...failure, error: fromPortable(failure.error) }
}

/** Of an error its name, message and stack; of anything else a copy, or its text where it cannot be copied. */
export function toPortable(thrown: unknown): PortableError {
  if (thrown instanceof Error) {
    const { name, message, stack } = thrown
    return { isError: true, name, message, stack }
  }
  try {
    return { isError: false, value: structuredClone(thrown) }
  } catch {
    return { isError: false, value: String(thrown) }
  }
}

function errorNamed(name: string): new (message: string) => Error {
  if (name === 'DeadlockError') return DeadlockError
  return name === 'LivelockError' ? LivelockError : Error
}

export function fromPortable(sent: PortableError): unknown {
  if (!sent.isError) return sent.value
  const { name, message, stack } = sent
  const error = new (errorNamed(name))(message)
  if (error.name !== name) Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true })
  if (stack !== undefined) error.stack = stack
  return error
}
