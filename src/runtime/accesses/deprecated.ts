import { Reflect } from '../../engine/intrinsics.ts'

/** Loads what Node is about to take away, of which it would tell the program. */
export function withoutWarning<T>(load: (node: NodeJS.Process) => T): T | undefined {
  const node = globalThis.process as NodeJS.Process | undefined
  if (!node?.getBuiltinModule) return undefined
  const own = Reflect.getOwnPropertyDescriptor(node, 'noDeprecation')
  try {
    node.noDeprecation = true
    return load(node)
  } catch {
    // Not allowed where Node's permissions are limited.
    return undefined
  } finally {
    if (own) Reflect.defineProperty(node, 'noDeprecation', own)
    else Reflect.deleteProperty(node, 'noDeprecation')
  }
}
