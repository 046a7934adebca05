const later = globalThis.setImmediate
const { now } = globalThis.performance

/** As React's scheduler does: what has worked for five milliseconds goes on in another turn of the event loop. */
export function inSlices(parts: readonly (() => void)[]): void {
  later(() => {
    const start = performance.now()
    const next = [...parts]
    do next.shift()?.()
    while (next.length > 0 && performance.now() - start < 5)
    if (next.length > 0) inSlices(next)
  })
}

/** Waits for time to pass. */
export function wait(milliseconds: number): void {
  const start = performance.now()
  while (performance.now() - start < milliseconds);
}

/** Works for so many milliseconds, whatever clock there is. */
export function work(milliseconds: number): void {
  const start = Reflect.apply(now, performance, []) as number
  while ((Reflect.apply(now, performance, []) as number) - start < milliseconds);
}
