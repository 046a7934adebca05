import { isOfNoConnection } from './lost-connections.ts'

/** What vitest-dpor asks a server for itself. */
export interface Purpose {
  /** `find out which tables there are` */
  readonly to: string
  /** What to do where the server does not answer that. */
  readonly advice: string
}

/** A question of vitest-dpor's own has failed, without which what a body asks cannot be explored. It is the answer to nothing that the body has asked. */
export class OwnQuestionError extends Error {
  override readonly name = 'OwnQuestionError'
  readonly purpose: Purpose
  readonly reason: string
  /** Nobody answers any more: so it is with what the body asks. */
  readonly isLost: boolean

  constructor(purpose: Purpose, error: unknown) {
    const reason = String((error as Partial<Error> | undefined)?.message || (error as { readonly code?: unknown } | undefined)?.code || error)
    super(`vitest-dpor has asked the server something for itself, to ${purpose.to}, and that has failed: ${reason}. It is no answer to what the test asks`)
    this.purpose = purpose
    this.reason = reason
    this.isLost = isOfNoConnection(error)
  }
}

/** Asks a server for vitest-dpor itself. */
export async function forItself<T>(purpose: Purpose, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw error instanceof OwnQuestionError ? error : new OwnQuestionError(purpose, error)
  }
}

export const opening: Purpose = {
  to: 'have a connection of its own, as the same user',
  advice: 'See that the server lets that user have one connection more than the test opens',
}

const toFindOut = (what: string): Purpose => ({ to: `find out ${what}`, advice: 'Let the user that the test connects as ask that, and set no time limit for it' })

export const learning = toFindOut('which tables there are')

export const waiting = toFindOut('who keeps a statement waiting')

export const takingBack: Purpose = {
  to: 'have a statement that waits come after the one that waited before it',
  advice: 'Let fewer transactions wait for the same row at once',
}

/** @param option of the config */
export const copying = (option: string, rights: string): Purpose => ({
  to: 'keep a copy of what is about to be changed, which is put back afterwards',
  advice: `Give the user that the test connects as the rights for that (${rights}), or let all stay as it is: dpor({ io: { ${option}: { reset: false } } })`,
})
