import { contentsOf, isOfPlatform } from '../execution/contents.ts'
import { isProxy } from '../execution/proxies.ts'
import type { Import } from '../execution/shapes.ts'
import { kindOf } from './function-kinds.ts'
import type { Fn } from './handler.ts'

/** Which package a function comes from that is not instrumented: known from what instrumented files import. */
const packages = new WeakMap<object, string>()

const unseen: Import[] = []

/** Packages that instrumented files use, and that are not instrumented. */
const used = new Set<string>()

/** What everybody uses here, and nobody wants to be instrumented. */
const ofTesting = /^(?:node:|vitest$|vitest-dpor$|@vitest\/)/

/** What a file imports from packages. It may not be there yet: it is looked at when an exploration begins, or somebody asks. */
export function rememberImports(imports: readonly Import[]): void {
  unseen.push(...imports)
}

/** A package is loaded that is not instrumented. */
export function rememberLeft(name: string): void {
  if (!ofTesting.test(name)) used.add(name)
}

export function packageOf(fn: object): string | undefined {
  if (unseen.length > 0) lookAtImports()
  return packages.get(fn)
}

/** Where a function may come from that is not instrumented and of which no more is known. */
export function usedPackages(): readonly string[] {
  return [...used]
}

export function lookAtImports(): void {
  for (const [specifier, values] of unseen.splice(0)) {
    try {
      const name = nameOf(specifier)
      for (const value of values()) {
        note(value, name)
        if (typeof value === 'function' && kindOf(value as Fn) === 'opaque' && !ofTesting.test(name)) used.add(name)
      }
    } catch {
      // A mock without this export: its functions belong to no package that is known.
    }
  }
}

/** `@scope/name/file` -> `@scope/name` */
function nameOf(specifier: string): string {
  const [first, second] = specifier.split('/')
  return first!.startsWith('@') && second ? `${first}/${second}` : first!
}

/** Objects of one package that are looked at, at most. */
const mostObjects = 10_000

function note(root: unknown, name: string): void {
  const found = [root]
  let count = 0
  while (found.length > 0 && count < mostObjects) {
    const value = found.pop()
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) continue
    if (packages.has(value) || isOfPlatform(value) || isProxy(value)) continue
    packages.set(value, name)
    count++
    for (const inner of contentsOf(value)) found.push(inner)
  }
}
