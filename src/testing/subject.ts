import type { Body, Tasks } from '../runtime/index.ts'

/** What a user gives to be explored: a body, or tasks over a state. */
export type Given = Function | Tasks

export function isGiven(value: unknown): value is Given {
  return typeof value === 'function' || (typeof value === 'object' && value !== null && 'tasks' in value)
}

/** The last argument of `dporTest`. @throws TypeError for anything else */
export function given(value: unknown): Given {
  if (!isGiven(value)) throw new TypeError('dporTest takes a function or { setup, tasks, invariant } as its last argument')
  return value
}

/** By body: the function that the user has given. */
const bodies = new WeakMap<Function, Function>()

/** The same with what the test framework hands a body. */
export function bind(subject: Given, args: readonly unknown[]): Body | Tasks {
  if (typeof subject !== 'function') return subject
  const body = (): unknown => Reflect.apply(subject, undefined, args)
  bodies.set(body, subject)
  return body
}

/** What the user has given that became this body. */
export const givenAs = (body: Function): Function => bodies.get(body) ?? body
