import { Reflect } from '../../engine/intrinsics.ts'

/**
 * Symbols under which the platform keeps the state of objects whose every operation is told: who listens, whether a signal is aborted.
 * That is no data of the object's.
 */
const symbols = collect()

export function isInternal(key: PropertyKey): boolean {
  return typeof key === 'symbol' && symbols.has(key)
}

/** Requests and responses, their headers and forms. */
function messages(): object[] {
  const { Request, Response, Headers, FormData } = globalThis as Partial<typeof globalThis>
  return [Request && new Request('http://localhost'), Response && new Response(), Headers && new Headers(), FormData && new FormData()].filter((object) => object !== undefined)
}

function collect(): ReadonlySet<PropertyKey> {
  if (!globalThis.AbortController || !globalThis.EventTarget) return new Set()
  const controller = new AbortController()
  // oxlint-disable-next-line prefer-add-event-listener
  controller.signal.onabort = () => {}
  const event = new Event('event')
  const objects = [new EventTarget(), controller, controller.signal, AbortSignal.any?.([controller.signal]), event, ...messages()]
  controller.abort()
  return new Set(objects.flatMap((object) => (object ? Reflect.ownKeys(object).filter((key) => typeof key === 'symbol') : [])))
}
