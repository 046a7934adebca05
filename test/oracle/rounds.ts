/** A step of a thread that looked at a variable and changed nothing. */
export interface RoundLook {
  readonly variable: number
  readonly by: 'read' | 'swap'
  /** What the thread got of it. */
  readonly found: number
  /** What the variable was. */
  readonly seen: number
  /** Changes of the variable until then. */
  readonly changes: number
}

/** Steps of a round, at most. */
const longest = 8

export function withLook(looks: readonly RoundLook[], look: RoundLook): readonly RoundLook[] {
  return [...looks, look].slice(-longest * 2)
}

/** The last round, if the last two were alike and the next step begins another one. */
export function roundBefore(looks: readonly RoundLook[], next: Pick<RoundLook, 'variable' | 'by'>): readonly RoundLook[] | undefined {
  for (let length = 1; length * 2 <= looks.length; length++) {
    const [before, last] = [looks.slice(-2 * length, -length), looks.slice(-length)]
    const begins = last[0]!.variable === next.variable && last[0]!.by === next.by
    if (begins && last.every(({ variable, by, found }, i) => before[i]!.variable === variable && before[i]!.by === by && before[i]!.found === found)) return last
  }
  return undefined
}
