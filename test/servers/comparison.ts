import { exploreBody } from '../reference/project.ts'

/** How a program can end, as a server has shown it in every order of its steps. */
export interface Reference {
  readonly outcomes: readonly string[]
  readonly orders: number
}

export interface Comparison {
  /** Outcomes of the server that no execution had, and outcomes of executions that no order has. */
  readonly lost: readonly string[]
  readonly invented: readonly string[]
  readonly executions: number
  readonly orders: number
  readonly verdict: string
  /** What the server shows of the program, and nothing that is said of it contains. */
  readonly unseen?: readonly string[]
}

/** Explores a body, and compares how it can end with the reference. It returns the text of an outcome. */
export async function compareWith({ outcomes: expected, orders }: Reference, source: string, { scope, limit }: { readonly scope: Readonly<Record<string, unknown>>; readonly limit: number }): Promise<Comparison> {
  const { outcomes, executions, verdict, inconclusiveReason } = await exploreBody(source, { scope: () => scope, limit: limit * 4 })
  const found = outcomes.map(asGiven)
  return {
    lost: expected.filter((outcome) => !found.includes(outcome)),
    invented: found.filter((outcome) => !expected.includes(outcome)),
    executions,
    orders,
    verdict: inconclusiveReason ?? verdict,
  }
}

/** What the body returned: a text, in the text of an outcome. */
function asGiven(outcome: string): string {
  try {
    return JSON.parse(outcome) as string
  } catch {
    return outcome
  }
}
