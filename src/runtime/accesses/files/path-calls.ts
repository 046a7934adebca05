import { Reflect } from '../../../engine/intrinsics.ts'
import type { SiteId } from '../../../engine/ids.ts'
import type { Execution } from '../../execution/execution.ts'
import type { CallPlatform, Fn, Handler } from '../handler.ts'
import { nameNew } from '../new-graphs.ts'
import { changedBy, fileOperations, fs, isUsual, onlyLooks, tellFiles } from './named-files.ts'
import { fileMoves } from './open-files.ts'
import { keepFile } from './put-back.ts'
import { makesTemporaryFolder, temporaryFolder } from './temporary-folders.ts'
import { atOnce, callingBack, promisifiedTo, promising, whereUsual, type Deed, type Invoke } from './work.ts'

/** Functions of `node:fs` that take paths. */

/** Does it, by the form of the function that does it at once. */
function perform(execution: Execution, name: string, args: unknown[], site: SiteId): unknown {
  if (name === 'mkdtemp') return makeTemporaryFolder(execution, args, site)
  let found: unknown
  if (!onlyLooks(name)) {
    tellFiles(execution, name, args, site)
    for (const { file, isTree } of changedBy(name, args)) keepFile(execution, file, { isTree, isLonger: name === 'appendFile' })
  }
  const moved = name === 'rename' ? fileMoves(execution, args) : undefined
  try {
    const value: unknown = Reflect.apply(syncForms.get(name)!, fs, args)
    nameNew(execution, value)
    moved?.()
    return (found = value)
  } catch (error) {
    nameNew(execution, error)
    throw error
  } finally {
    if (onlyLooks(name)) tellFiles(execution, name, args, site, found)
  }
}

function makeTemporaryFolder(execution: Execution, [prefix]: unknown[], site: SiteId): string {
  const folder = temporaryFolder(execution, prefix as string)
  perform(execution, 'mkdir', [folder, 0o700], site)
  return folder
}

const syncForms = new Map<string, Fn>()

export function pathHandlers(invoke: Invoke, otherwise: CallPlatform): readonly (readonly [Fn, Handler])[] {
  if (!fs) return []
  const handlers: (readonly [Fn, Handler])[] = []
  for (const name of [...fileOperations, 'mkdtemp']) {
    const sync = Reflect.get(fs, `${name}Sync`) as Fn | undefined
    if (!sync) continue
    syncForms.set(name, sync)
    const deed: Deed = (execution, args, site) => perform(execution, name, args, site)
    const takes = (args: readonly unknown[]): boolean => (name === 'mkdtemp' ? makesTemporaryFolder(args) : isUsual(name, args))
    const later: unknown = Reflect.get(fs, name)
    const promised: unknown = Reflect.get(fs.promises, name)
    const calling = name === 'exists' ? callingBack(deed, invoke, { resultsOf: ({ value }) => [value === true] }) : callingBack(deed, invoke)
    handlers.push(
      ...whereUsual(sync, otherwise, takes, atOnce(deed)),
      ...whereUsual(later, otherwise, (args) => typeof args.at(-1) === 'function' && takes(args), calling),
      ...whereUsual(promised, otherwise, takes, promising(deed)),
    )
    if (typeof later === 'function' && promised) promisifiedTo(later, promised)
  }
  return handlers
}
