import { Reflect } from '../../../engine/intrinsics.ts'
import type { SiteId } from '../../../engine/ids.ts'
import type { Execution } from '../../execution/execution.ts'
import { isInstance } from '../../execution/proxies.ts'
import type { CallPlatform, Fn, Handler } from '../handler.ts'
import { nameNew } from '../new-graphs.ts'
import { Files, fs, nameOf } from './named-files.ts'
import { atOnce, callingBack, promising, type Deed, type Invoke } from './work.ts'

/** Folders that are open: what `fs.opendir` gives looks at what the folder has when it is read. */

type Folder = import('node:fs').Dir

const prototype = fs?.Dir?.prototype as Folder | undefined

// As they were before anybody has put something in their place.
const { readSync, closeSync } = prototype ?? {}

const isFolder = (value: unknown): value is Folder => isInstance(value, prototype)

function next(execution: Execution, folder: Folder, site: SiteId): unknown {
  const files = new Files(execution, site)
  files.list(files.follow(nameOf(folder.path)))
  const found: unknown = Reflect.apply(readSync!, folder, [])
  nameNew(execution, found)
  return found
}

/** All that is still to come, as it is now; then the folder is closed. */
async function* rest(entries: readonly unknown[]): AsyncGenerator {
  for (let i = 0; i < entries.length; i++) yield entries[i]
}

function all(execution: Execution, folder: Folder, site: SiteId): AsyncGenerator {
  const found: unknown[] = []
  for (let entry = next(execution, folder, site); entry !== null; entry = next(execution, folder, site)) found[found.length] = entry
  Reflect.apply(closeSync!, folder, [])
  return rest(found)
}

const reading = (folder: Folder): Deed => (execution, _, site) => next(execution, folder, site)
const iterating = (execution: Execution, folder: Folder, _: unknown[], site: SiteId): unknown => all(execution, folder, site)

export function folderHandlers(invoke: Invoke, otherwise: CallPlatform): readonly (readonly [Fn, Handler])[] {
  if (!prototype) return []
  const method = (name: PropertyKey, call: (execution: Execution, folder: Folder, args: unknown[], site: SiteId) => unknown): readonly (readonly [Fn, Handler])[] => {
    const native = Reflect.get(prototype, name) as Fn | undefined
    return native ? [[native, (execution, receiver, args, site) => (isFolder(receiver) ? call(execution, receiver, args, site) : otherwise(execution, native, receiver, args, site))]] : []
  }
  return [
    ...method('readSync', (execution, folder, args, site) => atOnce(reading(folder))(execution, prototype.readSync as Fn, args, site)),
    ...method('read', (execution, folder, args, site) => (typeof args[0] === 'function' ? callingBack(reading(folder), invoke) : promising(reading(folder)))(execution, prototype.read as Fn, args, site)),
    ...method('entries', iterating),
    ...method(Symbol.asyncIterator, iterating),
  ]
}
