import { Reflect } from '../../engine/intrinsics.ts'

/**
 * Symbols under which the platform keeps the state of objects whose every operation is told: who listens, whether a signal is aborted.
 * That is no data of the object's.
 */
const symbols = collect()

export function isInternal(key: PropertyKey): boolean {
  return typeof key === 'symbol' && symbols.has(key)
}

function collect(): ReadonlySet<PropertyKey> {
  if (!globalThis.AbortController || !globalThis.EventTarget) return new Set()
  const controller = new AbortController()
  // oxlint-disable-next-line prefer-add-event-listener
  controller.signal.onabort = () => {}
  const event = new Event('event')
  const objects = [new EventTarget(), controller, controller.signal, AbortSignal.any?.([controller.signal]), event]
  controller.abort()
  return new Set(objects.flatMap((object) => (object ? Reflect.ownKeys(object).filter((key) => typeof key === 'symbol') : [])))
}
