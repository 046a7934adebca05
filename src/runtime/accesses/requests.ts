import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { isAnswerToRequest } from '../events/answers.ts'
import { inContext } from '../execution/contexts.ts'
import type { Execution } from '../execution/execution.ts'
import { running } from '../execution/running.ts'
import { isObject } from './telling.ts'

/**
 * Requests of `node:http` that are answered within this process, by MSW or nock. An answer that is real comes while no step runs; one that
 * comes within a step stands for such a one, and gets an event of its own.
 */

interface Request {
  emit(event: unknown, ...args: unknown[]): boolean
  listenerCount(event: unknown): number
  readonly destroyed: boolean
}

const [http, https] = (['node:http', 'node:https'] as const).map((name) => globalThis.process?.getBuiltinModule?.(name as 'node:http'))
const ClientRequest = http?.ClientRequest as unknown as (abstract new () => Request) | undefined

/** The functions that make one, which is new. */
const makers = new Set<unknown>([http, https].flatMap((module) => [module?.request, module?.get]))

/** Calls a function of the platform. */
export function makingRequest(execution: Execution, fn: object, call: () => unknown, site: SiteId): unknown {
  if (!makers.has(fn)) return call()
  const { identities } = execution
  // How much Node makes on the way is not the same in each execution.
  const name = identities.fresh()
  identities.beginConstruction(ClientRequest!.prototype, name)
  try {
    const request = call()
    if (isObject(request) && !identities.has(request)) identities.assign(request, name)
    noticeRequest(execution, request, site)
    return request
  } finally {
    identities.endConstruction()
  }
}

/** What an answer begins with. */
const answers = new Set<unknown>(['response', 'upgrade', 'connect', 'error'])

/** The platform has made this: what it says as a request waits for its turn, from the answer on. */
export function noticeRequest(execution: Execution, made: unknown, site: SiteId): void {
  if (!ClientRequest || !(made instanceof ClientRequest) || Object.hasOwn(made, 'emit')) return
  const request = made
  const { call, identities } = execution
  const native = Reflect.get(request, 'emit')
  /** What it has said since it was answered. */
  const held: (() => void)[] = []
  const emit = function (this: unknown, ...args: unknown[]): unknown {
    '__dpor'
    const [event, response] = args
    const say = (): unknown => Reflect.apply(native, request, args)
    if (execution.foreign.isClosed || running !== execution) return say()
    if (event === 'response' && isObject(response)) identities.made(response)
    if (held.length === 0) {
      // What the program has given up has no answer.
      if (!execution.events || !answers.has(event) || request.destroyed || !isAnswerToRequest(execution, { call, site }, answer)) return say()
    }
    held.push(inContext(say))
    return request.listenerCount(event) > 0
  }
  const answer = (): void => {
    Reflect.deleteProperty(request, 'emit')
    for (const say of held) {
      try {
        say()
      } catch (error) {
        execution.uncaught(error)
      }
    }
  }
  Object.defineProperty(request, 'emit', { value: emit, configurable: true, writable: true, enumerable: false })
}
