import { Reflect } from '../../engine/intrinsics.ts'

/** Runs something while Node prints no warning of what it is about to take away. */
export function withoutDeprecations<T>(node: NodeJS.Process, run: () => T): T {
  const own = Reflect.getOwnPropertyDescriptor(node, 'noDeprecation')
  try {
    node.noDeprecation = true
    return run()
  } finally {
    if (own) Reflect.defineProperty(node, 'noDeprecation', own)
    else Reflect.deleteProperty(node, 'noDeprecation')
  }
}

/** Loads what Node is about to take away, of which it would tell the program. */
function withoutWarning<T>(load: (node: NodeJS.Process) => T): T | undefined {
  const node = globalThis.process as NodeJS.Process | undefined
  if (!node?.getBuiltinModule) return undefined
  try {
    return withoutDeprecations(node, () => load(node))
  } catch {
    // Not allowed where Node's permissions are limited.
    return undefined
  }
}

/** Node's own sources, by the names of modules, or what it has beneath its sockets. */
export const bindingOf = (name: string): Readonly<Record<string, unknown>> | undefined => withoutWarning((node) => (node as { binding?(name: string): Readonly<Record<string, unknown>> }).binding?.(name))

/** What has Node's parser of HTTP, which what stands in for sockets takes from there. */
export const httpCommon = (): Readonly<Record<string, unknown>> | undefined => withoutWarning((node) => node.getBuiltinModule('_http_common' as 'http') as unknown as Readonly<Record<string, unknown>>)
