import type { Asked } from './asked.ts'
import type { Rivalry } from './question.ts'

interface Pair {
  readonly first: Asked
  readonly second: Asked
  readonly rivalry: Rivalry
}

/** How it is with one that waits, or did. */
interface Standing {
  /** Undefined as long as it has none. */
  readonly answeredAt: number | undefined
  readonly hasFailed: boolean
  /** By whom it is held up. */
  readonly holders: readonly object[]
}

/**
 * Pairs that wait at a server for the same, of which it lets either go on first. What is explored is that the one that came first goes on first; it is met the other way round
 * where the other one comes first, if that comes to the same. Where it does not, or the server does otherwise, not all is explored.
 */
export class Rivals {
  #pairs: (Pair & { readonly before: readonly [Standing, Standing] })[] = []
  readonly #standingOf: (asked: Asked) => Standing
  /** What the server alone has decided, or may decide otherwise another time. */
  undecided: string | undefined

  constructor(standingOf: (asked: Asked) => Standing) {
    this.#standingOf = standingOf
  }

  /** Both wait from now on. */
  add(pair: Pair): void {
    const { first, second } = pair
    if (this.#pairs.some((other) => other.first === first && other.second === second)) return
    this.#pairs.push({ ...pair, before: [this.#standingOf(first), this.#standingOf(second)] })
  }

  /** It is given up, and goes on neither first nor second. */
  givesUp(asked: Asked): void {
    this.#pairs = this.#pairs.filter(({ first, second }) => first !== asked && second !== asked)
  }

  /** Others have let go of something. */
  check(): void {
    this.#pairs = this.#pairs.filter((pair) => {
      const standings = [this.#standingOf(pair.first), this.#standingOf(pair.second)] as const
      const [first, second] = standings
      if (!isInTurn(pair, standings) || (pair.rivalry === 'unequal' && mayHaveMet(pair, standings))) this.isUpToServer(pair)
      return first.answeredAt === undefined && second.answeredAt === undefined
    })
  }

  /** Which of them goes on first makes a difference that is not explored. */
  isUpToServer({ first, second }: Pick<Pair, 'first' | 'second'>): void {
    this.undecided ??= `which of two goes on first that wait for the same the server alone decides: '${textOf(first)}', or '${textOf(second)}'. One of them was explored. Either is where both name the only row that they look at by its primary key`
  }
}

type Checked = Pair & { readonly before: readonly [Standing, Standing] }

const isAnswered = ({ answeredAt }: Standing): boolean => answeredAt !== undefined

const isHeldUpBy = ({ holders }: Standing, { line }: Asked): boolean => holders.includes(line)

/** Whether the first one goes on first. */
function isInTurn({ first, second, before: [before] }: Checked, [one, other]: readonly [Standing, Standing]): boolean {
  if (isAnswered(one)) return !isAnswered(other) || bothHaveFailed([one, other]) || one.answeredAt! < other.answeredAt!
  if (!isAnswered(other)) return isHeldUpBy(before, second) || !isHeldUpBy(one, second) || isHeldUpBy(other, first)
  return isAsBefore(one, before)
}

/** Whether it may have made a difference which of them is the first: at least one of them has gone on. */
function mayHaveMet({ first, before }: Checked, [one, other]: readonly [Standing, Standing]): boolean {
  if (bothHaveFailed([one, other])) return false
  if (isAnswered(one)) return isAnswered(other) || isHeldUpBy(other, first) || !isAsBefore(other, before[1])
  return isAnswered(other) && !isAsBefore(one, before[0])
}

const bothHaveFailed = (standings: readonly Standing[]): boolean => standings.every(({ hasFailed }) => hasFailed)

const isAsBefore = ({ holders }: Standing, before: Standing): boolean => holders.length === before.holders.length && holders.every((line) => before.holders.includes(line))

const textOf = ({ question: { shown, name } }: Asked): string => shown ?? name
