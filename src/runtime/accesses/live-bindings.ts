import { Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { isProxy } from '../execution/proxies.ts'
import type { Export } from '../execution/shapes.ts'
import { readVariable } from './variables.ts'

/**
 * Variables that files export and change, by the name under which others import them. Which of several with one name it is,
 * nobody knows: all of them are looked at.
 */
const live = new Map<string, Map<string, Export>>()

/** What a file that is loaded exports. */
export function rememberExports(exports: readonly Export[]): void {
  for (const one of exports) {
    const [name, ...rest] = one
    let known = live.get(name)
    if (!known) live.set(name, (known = new Map()))
    known.set(rest.join('\n'), one)
  }
}

export function isLive(name: PropertyKey): boolean {
  return live.size > 0 && live.has(name as string)
}

/** A property of the module's own namespace is read: it is a variable. */
export function tellOfNamespace(execution: Execution, object: object, name: PropertyKey, site: SiteId): void {
  if (isLive(name) && !isProxy(object) && isNamespace(object)) readImported(execution, name as string, { site, value: undefined })
}

/** What `import * as ns` gives, of a module that Node has loaded or of one that Vite has. */
export function isNamespace(object: object): boolean {
  return Reflect.getOwnPropertyDescriptor(object, Symbol.toStringTag)?.value === 'Module'
}

interface ImportedRead {
  readonly site: SiteId
  readonly value: unknown
}

/** Something imported under this name is read. */
export function readImported(execution: Execution, name: string, read: ImportedRead, visited = new Set<string>()): void {
  if (visited.has(name)) return
  visited.add(name)
  for (const [, fileOrName, variable] of live.get(name)?.values() ?? []) {
    if (variable === undefined) readImported(execution, fileOrName, read, visited)
    else readVariable(execution, fileOrName, variable, read.site, read.value)
  }
}
