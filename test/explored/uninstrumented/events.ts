import { EventEmitter } from 'node:events'

/** Emitters and signals made in a file that is not instrumented: they are older than any execution. */
export const older = {
  emitter: new EventEmitter(),
  target: new EventTarget(),
  controller: new AbortController(),
}
older.emitter.on('first', () => {})
older.target.addEventListener('first', () => {}, { once: true })

/** Calls of code that is not instrumented. */
export const opaque = {
  on: (emitter: EventEmitter, name: string, listener: () => void) => emitter.on(name, listener),
  emit: (emitter: EventEmitter, name: string) => emitter.emit(name),
  emitOlder: (name: string) => older.emitter.emit(name),
  listen: (target: EventTarget, type: string, listener: () => void) => target.addEventListener(type, listener),
  abort: (controller: AbortController) => controller.abort(),
  isAborted: (controller: AbortController) => controller.signal.aborted,
}
