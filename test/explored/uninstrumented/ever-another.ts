let last = 0

/** A number that it has never given. */
export const everAnother = (): number => ++last
