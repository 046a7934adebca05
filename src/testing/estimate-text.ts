/** Of an exploration that has not ended by itself. */
export interface Guess {
  readonly estimate?: number | undefined
  readonly estimateRange?: readonly [least: number, most: number] | undefined
}

/** `about 4200 in all (1300 to 14000)`; undefined where there is no telling. */
export function estimateText({ estimate, estimateRange }: Guess): string | undefined {
  if (estimate === undefined || estimateRange === undefined) return undefined
  const [least, most] = estimateRange
  return `about ${rounded(estimate)} in all (${rounded(least)} to ${rounded(most)})`
}

/** To two digits; what is too large to be read, as a power of ten. */
function rounded(count: number): string {
  return count < 1e9 ? `${Number(count.toPrecision(2))}` : count.toExponential(0).replace('e+', '·10^').replace(/^1\u00b7/, '')
}
