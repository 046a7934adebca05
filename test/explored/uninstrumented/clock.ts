/** What code that is not instrumented knows of the time. */
export const stamp = (): number[] => [new Date().getTime(), Date.now(), performance.now()]

export const later = (callback: () => void, delay: number): unknown => setTimeout(callback, delay)
