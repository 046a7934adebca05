const { performance } = globalThis
const read = performance?.now.bind(performance)

/** Real milliseconds, by the platform's own function: tests put fake ones in its place. 0 where the platform has no clock. */
export const now = (): number => read?.() ?? 0
