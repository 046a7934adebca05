import { Array, ArrayBuffer, Object, Reflect } from '../../../engine/intrinsics.ts'
import type { SiteId } from '../../../engine/ids.ts'
import type { Fn } from '../../accesses/handler.ts'
import { invoke } from '../../accesses/invoke.ts'
import { readDeep } from '../../accesses/whole.ts'
import { inContext } from '../../execution/contexts.ts'
import type { Execution } from '../../execution/execution.ts'
import { besideSteps, running } from '../../execution/running.ts'
import { askForPromise, askWithCallback } from '../asked.ts'
import type { Answer } from '../question.ts'
import type { Batch } from './client.ts'
import type { Connection } from './connections.ts'
import { followSubscriptions } from './messages.ts'
import { Request } from './request.ts'

/** A function of a package, whatever it takes. */
export type RedisFunction = (this: unknown, ...args: unknown[]) => unknown

/** What somebody is called with last, if it is a function. */
export function withoutCallback(args: readonly unknown[]): { readonly given: readonly unknown[]; readonly callback: Fn | undefined } {
  const callback = args.at(-1)
  return typeof callback === 'function' ? { given: args.slice(0, -1), callback: callback as Fn } : { given: args, callback: undefined }
}

/** The running step hands these over. */
export function lookAtGiven(execution: Execution, args: readonly unknown[], site: SiteId): void {
  for (const arg of args) if (typeof arg === 'object' && arg !== null) readDeep(execution, arg, site)
}

/** Asks in the running step. */
export function ask(execution: Execution, connection: Connection, batch: Batch, { callback, site }: { readonly callback: Fn | undefined; readonly site: SiteId }): unknown {
  followSubscriptions(execution, connection.client, { commands: batch.commands, site })
  const request = new Request(execution, connection, batch)
  if (!callback) return askForPromise(execution, connection.line, request, site)
  const hear = inContext((answer: Answer) => {
    invoke(execution, callback, undefined, 'error' in answer ? [answer.error] : [null, answer.value], site)
  })
  askWithCallback(execution, connection.line, request, { site, hear })
  return undefined
}

/** A function that sends nothing, and tells nothing. */
export function besideStep(fn: RedisFunction): RedisFunction {
  return function (this: unknown, ...args) {
    '__dpor'
    return besideSteps(() => Reflect.apply(fn, this, args))
  }
}

/** A function that makes something, such as a pipeline, which sends nothing before it is asked to. */
export function making(fn: RedisFunction): RedisFunction {
  return function made(this: unknown, ...args) {
    '__dpor'
    if (running === null) return Reflect.apply(fn, this, args)
    lookAtGiven(running, args, running.siteOfCall(made))
    const object = besideSteps(() => Reflect.apply(fn, this, args)) as object
    if (object !== this) running.identities.made(object)
    return object
  }
}

/** Arguments of a command, as a server gets them: of an object, its keys and values. */
export const textsOf = (args: readonly unknown[]): readonly string[] =>
  args.flatMap((arg) => {
    if (Array.isArray(arg)) return textsOf(arg as unknown[])
    if (arg instanceof Map) return textsOf([...(arg as Map<unknown, unknown>)])
    return typeof arg === 'object' && arg !== null && !ArrayBuffer.isView(arg) ? textsOf(Object.entries(arg)) : [String(arg)]
  })
