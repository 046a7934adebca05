import { Object, Reflect } from '../intrinsics.ts'
import { ProgramError } from '../errors.ts'
import { isThenable, type Operation, type Run, type ThreadBody } from './operations.ts'
import type { Invariant } from './program.ts'

/** What `build` returned. */
export function checkedInvariant(built: unknown): Invariant | undefined {
  if (built === undefined || typeof built === 'function') return built as Invariant | undefined
  const found = isThenable(built) ? 'a promise' : `a value of type ${typeof built}`
  throw new ProgramError(`the function given to program returned ${found}: let it return nothing, or the invariant, a plain function`)
}

/** What the invariant says; refuses a promise, whose end nobody waits for. */
export function checkedAnswer(answer: unknown): unknown {
  if (!isThenable(answer)) return answer
  ignoreRejection(answer)
  throw new ProgramError(
    'the invariant returned a promise, for which nobody waits: let it be a plain function that returns false, or throws, where it does not hold',
  )
}

/** The steps of a thread. */
export function startedBody(run: Run, name: string, body: ThreadBody): Iterator<Operation<unknown>, unknown, unknown> {
  if (typeof body !== 'function') return run.refuse(`the body of thread '${name}' is no function: ${advice(name)}`)
  sharePrototype(body)
  const steps: unknown = body()
  if (isGenerator(steps) || isIterator(steps)) return steps
  if (isThenable(steps)) ignoreRejection(steps)
  const found = isThenable(steps) || isAsync(steps) ? 'is async' : 'is a plain function'
  return run.refuse(`the body of thread '${name}' ${found}, where a generator function is needed: ${advice(name)}`)
}

function advice(name: string): string {
  return `write thread('${name}', function* () { ... }), with yield* before every operation`
}

/** By what only generators that are not async have: this is asked for every thread of every execution. */
function isGenerator(value: unknown): value is Iterator<Operation<unknown>, unknown, unknown> {
  return typeof value === 'object' && value !== null && (value as { next?: unknown }).next === nextOfGenerators
}

function isIterator(value: unknown): value is Iterator<Operation<unknown>, unknown, unknown> {
  if (typeof value !== 'object' || value === null) return false
  return typeof (value as { next?: unknown }).next === 'function' && !isAsync(value)
}

function isAsync(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/** The error that says what is wrong comes from here, not from whoever notices that nobody handled the rejection. */
function ignoreRejection(promise: unknown): void {
  void (promise as PromiseLike<unknown>).then(undefined, () => {})
}

const { prototype: generatorFunction } = function* () {}.constructor
const generatorPrototype: unknown = Object.create(generatorFunction.prototype as object)
const { next: nextOfGenerators } = generatorFunction.prototype as { readonly next: unknown }

/**
 * Generator functions that are made anew for every execution get a prototype in common. A call of one whose prototype is
 * its own takes twice as long, as the shape of its generators has to be made first.
 */
function sharePrototype(body: ThreadBody): void {
  if (Object.getPrototypeOf(body) === generatorFunction) Reflect.set(body, 'prototype', generatorPrototype)
}
