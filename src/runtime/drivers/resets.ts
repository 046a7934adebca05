import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { serversOf, type PutBack, type ServerOptions } from './servers.ts'

/** A database that an execution is about to change. */
export interface Changed {
  /** What the option `reset` of its driver says. */
  readonly reset: boolean | string | undefined
  /** What the option may call it. */
  readonly name: string
  readonly looksLikeTest: boolean
  /** Why it is refused, and what to do, where it is to be put back and does not look like one for tests. */
  readonly refusal: readonly [what: string, advice: string]
}

/** Whether it is put back after the execution. The exploration is refused where it must not be touched. */
export function isPutBack(execution: Execution, { reset, name, looksLikeTest, refusal: [what, advice] }: Changed, site: SiteId): boolean {
  if (reset === false) return false
  if (reset === name || looksLikeTest) return true
  if (reset === true) execution.refuse(what, advice, site)
  return false
}

/** What puts databases back: one for each of an exploration. */
export class KeptByExploration<Key, Kept extends { readonly putBack: PutBack }> {
  readonly #all = new WeakMap<ServerOptions, Map<Key, Kept>>()

  /** Puts it back once the execution is over. */
  of(execution: Execution, key: Key, make: () => Kept): Kept {
    const servers = serversOf(execution)
    let ofExploration = this.#all.get(servers.options)
    if (!ofExploration) this.#all.set(servers.options, (ofExploration = new Map()))
    let kept = ofExploration.get(key)
    if (!kept) ofExploration.set(key, (kept = make()))
    servers.whenAllOver(kept.putBack)
    return kept
  }
}

const testWord = /(?:^|[^a-z])(?:tests?|testing|specs?|ci|vitest|jest|dpor)(?:[^a-z]|$)|[a-z](?:Test|Spec)s?(?:[^a-z]|$)/

/** Whether the name of a database says that it is for tests. */
export const isNameOfTests = (database: string): boolean => testWord.test(database) || testWord.test(database.toLowerCase())

/** A database of SQL, which is known by its name. */
export function changedRows(database: string, { driver, reset }: { readonly driver: 'postgres' | 'mysql'; readonly reset: boolean | string | undefined }): Changed {
  return {
    reset,
    name: database,
    looksLikeTest: isNameOfTests(database),
    refusal: [
      `it changes rows of the database '${database}', which the option io.${driver}.reset says to put back, and nothing in that name says that it is for tests`,
      `Use one that is named like ${database}_test, or name this one: dpor({ io: { ${driver}: { reset: '${database}' } } })`,
    ],
  }
}
