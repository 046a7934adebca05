/** Where Node's `fetch` is written. It sets timers for its own ends, with what it finds on the global object, and keeps them for ever. */
const ofFetch = 'node:internal/deps/undici'

/** Whether the code that runs now was called by that: its time is real. To be asked where it may be so: it takes a while. */
export function isNodesOwn(): boolean {
  return new Error().stack?.includes(ofFetch) === true
}
