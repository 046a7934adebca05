/**
 * Where Node's `fetch` is written, and where it goes on with its queues after an error that nobody has caught. They set timers for their own ends, with what
 * they find on the global object or in `node:timers`.
 */
const own = /node:internal\/(?:deps\/undici|process\/execution)/

/** Whether the code that runs now was called by that: its time is real. To be asked where it may be so: it takes a while. */
export function isNodesOwn(): boolean {
  return own.test(new Error().stack ?? '')
}
