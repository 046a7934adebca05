import type { Execution } from '../../execution/execution.ts'
import type { Identities } from '../../execution/identity.ts'
import { fs } from './named-files.ts'

/**
 * Folders that `mkdtemp` makes: the names that it draws would be others in each execution, and with them all paths below. Here the same call makes
 * the same name; a folder that an earlier execution has left there is moved to a name that is drawn.
 */

// As they were before anybody has put something in their place.
const exists = fs?.existsSync
const move = fs?.renameSync
const draw = fs?.mkdtempSync

const characters = 6
/** Of them, those that tell explorations apart. */
const ofExploration = 3

const explorations = new WeakMap<Identities, string>()
const madeHere = new Set<string>()

const lettersOf = (number: number, count: number): string => number.toString(36).padStart(count, '0').slice(-count)

function explorationOf(identities: Identities): string {
  let letters = explorations.get(identities)
  // Not drawn by `Math.random`, which may be the one of the body.
  if (letters === undefined) explorations.set(identities, (letters = lettersOf(globalThis.process.pid * 7919 + Number(process.hrtime.bigint() % 46_656n), ofExploration)))
  return letters
}

/** The name of the folder that the running step is about to make. Where it is taken by somebody else, one that is drawn. */
export function temporaryFolder(execution: Execution, prefix: string): string {
  const { identities } = execution
  const folder = prefix + explorationOf(identities) + lettersOf(identities.fresh(), characters - ofExploration)
  if (exists!(folder)) {
    const other = draw!(prefix)
    if (!madeHere.has(folder)) {
      fs!.rmdirSync(other)
      return other
    }
    move!(folder, other)
  }
  madeHere.add(folder)
  return folder
}

/** Whether the call is one of which the name can be given. */
export function makesTemporaryFolder(args: readonly unknown[]): boolean {
  const [prefix, options] = args.filter((arg) => typeof arg !== 'function')
  return typeof prefix === 'string' && prefix !== '' && !prefix.includes('\0') && (options === undefined || options === null || options === 'utf8')
}
