import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { Execution } from '../execution/execution.ts'
import { whenDriverIsLoaded } from '../execution/loaded-drivers.ts'
import { isEnvironment, lookAtEnvironment } from './environment.ts'
import { lookAtArguments } from './assertions.ts'
import type { Fn, Handler } from './handler.ts'
import { register } from './registry.ts'
import { isObject } from './telling.ts'

/**
 * Queries of a testing library go through the document node by node, again and again while they are waited for, and change nothing: each is one look at it. Where
 * one calls what it is given, that is told as well.
 */
export function registerDocumentQueries(untold: RunUntold): void {
  whenDriverIsLoaded('document queries', (query) => register([[query as Fn, asOneLook(query as Fn, untold)]]))
}

/** Runs code of which nothing is told. */
export type RunUntold = <T>(code: () => T) => T

const asOneLook = (query: Fn, untold: RunUntold): Handler => (execution, receiver, args, site) => {
  if (args.some((arg) => calls(arg))) return named(execution, Reflect.apply(query, receiver, args))
  lookAtEnvironment(execution, site)
  lookAtArguments(execution, args, site)
  return named(execution, untold(() => Reflect.apply(query, receiver, args)))
}

/** Whether it may be called, or something that it has: a text to look for may be a function that decides. */
function calls(arg: unknown): boolean {
  if (typeof arg === 'function') return true
  return isObject(arg) && !isEnvironment(arg) && Object.values(Object.getOwnPropertyDescriptors(arg) as Record<string, PropertyDescriptor>).some(({ value, get }) => typeof value === 'function' || get !== undefined)
}

function named({ identities }: Execution, found: unknown): unknown {
  if (isObject(found)) identities.made(found)
  return found
}
