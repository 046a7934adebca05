import { Object } from '../../engine/intrinsics.ts'
import type { Execution } from '../execution/execution.ts'
import { PerExecution } from '../execution/per-execution.ts'
import { withoutDeprecations } from './deprecated.ts'
import type { Fn } from './handler.ts'

/**
 * A function that is deprecated warns when it is called for the first time in a process, which only Node itself remembers. The listeners of the program hear of it in every
 * execution, when it is called for the first time there; it is printed once.
 */
interface Warning {
  readonly message: string
  readonly type: string
  readonly code: string | undefined
}

const { process } = globalThis as { process?: NodeJS.Process }

/** By the functions that have given them. */
const warnings = new WeakMap<Fn, Warning>()

/** What is given in an execution: that of functions that share a code is given by one of them. */
const given = new PerExecution(() => new Set<unknown>())

const keyOf = (fn: Fn, { code }: Warning): unknown => code ?? fn

/** Node is asked for a warning, perhaps by a function that is deprecated: it says who it is, that the stack may begin with its caller. */
export function noteWarning(execution: Execution, [message, type, ...rest]: readonly unknown[]): void {
  const [fn, code] = rest.toReversed()
  if (typeof message !== 'string' || type !== 'DeprecationWarning' || typeof fn !== 'function') return
  const warning = { message, type, code: typeof code === 'string' ? code : undefined }
  warnings.set(fn as Fn, warning)
  given.of(execution).add(keyOf(fn as Fn, warning))
}

/** A function of the platform is called, which may have given its warning in an execution before. */
export function warnsAgain(execution: Execution, fn: Fn): void {
  const warning = warnings.get(fn)
  if (!warning || !process || process.noDeprecation) return
  const inExecution = given.of(execution)
  const key = keyOf(fn, warning)
  if (inExecution.has(key)) return
  inExecution.add(key)
  const { message, type, code } = warning
  const error = Object.assign(new Error(message), code === undefined ? { name: type } : { name: type, code })
  Error.captureStackTrace?.(error, fn)
  process.nextTick(() => withoutDeprecations(process, () => process.emit('warning', error)))
}
