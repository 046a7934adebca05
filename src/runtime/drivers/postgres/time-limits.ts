/** After how many milliseconds a server gives something up: 0 for never. */
export interface Limits {
  readonly lock: number
  readonly statement: number
}

/** Which of them it is. */
export type Limit = keyof Limits

const setting = /(?:^|;)\s*set\s+(?:(local|session)\s+)?(lock|statement)_timeout\s*(?:=|\bto\b)\s*('[^']*'|\w+)/gi
const byFunction = /\bset_config\s*\(\s*'(lock|statement)_timeout'\s*,\s*('[^']*'|\$\d+)\s*,\s*(\w+|\$\d+)/gi

/** How long a session has its statements wait, as far as their texts tell. */
export class TimeLimits {
  #usual: Partial<Limits> = {}
  #own: Partial<Limits> = {}

  /** It is asked this. */
  follow(text: string, values: readonly unknown[]): void {
    if (!/_timeout\b/i.test(text)) return
    for (const [, scope = '', limit, value] of text.matchAll(setting)) this.#set(limit!, value!, scope)
    const given = (word: string): string => (word.startsWith('$') ? String(values[+word.slice(1) - 1]) : word)
    for (const [, limit, value, isLocal] of text.matchAll(byFunction)) this.#set(limit!, given(value!), given(isLocal!) === 'true' ? 'local' : '')
  }

  #set(limit: string, value: string, scope: string): void {
    const milliseconds = millisecondsOf(value)
    const name = limit.toLowerCase() as Limit
    if (scope.toLowerCase() !== 'local') this.#usual = { ...this.#usual, [name]: milliseconds }
    this.#own = { ...this.#own, [name]: milliseconds }
  }

  /** No transaction is open any more. */
  endsTransaction(): void {
    this.#own = {}
  }

  /** What of them outlives transactions. */
  get usual(): Partial<Limits> {
    return this.#usual
  }

  /** What ends a wait for a lock first, and after how many milliseconds; undefined where nothing does. */
  first(ofSession: Limits): { readonly limit: Limit; readonly milliseconds: number } | undefined {
    const limits = { ...ofSession, ...this.#usual, ...this.#own }
    const [first] = (['lock', 'statement'] as const).filter((limit) => limits[limit] > 0).toSorted((one, other) => limits[one] - limits[other])
    return first && { limit: first, milliseconds: limits[first] }
  }
}

const units: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 }

/** `'2s'`, `500`; what is not understood is no limit. */
function millisecondsOf(value: string): number {
  const [, number, unit = ''] = /^'?\s*(\d+(?:\.\d+)?)\s*(\w*)\s*'?$/.exec(value) ?? []
  return number === undefined ? 0 : +number * (units[unit || 'ms'] ?? 0)
}

/** The error that the server would have given: that it was cancelled is our affair. */
export function timedOut(error: unknown, limit: Limit): unknown {
  const ofLock = { message: 'canceling statement due to lock timeout', code: '55P03' }
  const ofStatement = { message: 'canceling statement due to statement timeout', code: '57014' }
  return globalThis.Object.assign(error as Error, limit === 'lock' ? ofLock : ofStatement)
}
