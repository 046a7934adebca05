import { Reflect } from '../../engine/intrinsics.ts'

const http = globalThis.process?.getBuiltinModule?.('node:http')

/**
 * Responses. A request has its response in `res` by the time that it emits it. Where that waits for its turn nobody finds it there before: what else has come meanwhile, such
 * as that the request was sent, came first. Node itself looks there only when a connection has ended, which waits as well.
 */
export class LateResponses {
  readonly #hidden = new Set<() => void>()

  /** The request tells of its response, which waits for its turn. What is returned is to be called when it has that; nothing, if it was hidden before. */
  waits(request: unknown, [response]: readonly unknown[]): (() => void) | undefined {
    if (!http || !(request instanceof http.ClientRequest) || !(response instanceof http.IncomingMessage)) return undefined
    if (Reflect.getOwnPropertyDescriptor(request, 'res')?.value !== response) return undefined
    const show = (): void => {
      if (this.#hidden.delete(show)) Reflect.set(request, 'res', response)
    }
    this.#hidden.add(show)
    Reflect.set(request, 'res', null)
    return show
  }

  /** The execution is over: nothing waits any more. */
  close(): void {
    for (const show of this.#hidden) show()
  }
}
