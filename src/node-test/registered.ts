/** Of this thread: what it loads is instrumented. */
const registered = Symbol.for('vitest-dpor: registered with Node')

export function markRegistered(): void {
  Reflect.set(globalThis, registered, true)
}

/** @throws Error if files are loaded as they are written, so that nothing can be explored */
export function checkRegistered(): void {
  if (!Reflect.get(globalThis, registered)) throw new Error('vitest-dpor is not registered, so there is nothing to explore. Run the tests by: node --import vitest-dpor/node-test/register --test')
}
