import type { Node } from '../1-parse/node.ts'
import { isReplaceableGlobal, isSharedGlobal, looksAtReplaced } from './globals.ts'
import { isTool } from './packages.ts'
import { quote } from './names.ts'
import type { Rewriting } from './rewriting.ts'
import { pairedRead } from './setter-pairs.ts'

/**
 * An exported variable is a variable of every file that imports it, and a property of the global object one of all files: what
 * another file reads may have changed.
 */

/** `x`, imported from another file: `__dpor.live('x', site, x)`; declared nowhere: `__dpor.global('x', site, x)`; of the platform: `(__dpor.isReplaced && ..., x)`. */
export interface LiveRead {
  readonly before: string
  readonly after: string
}

export function liveRead(identifier: Node, r: Rewriting): LiveRead | undefined {
  const name = identifier.name as string
  if (isSharedGlobal(identifier, r) && !isInDecorator(r)) return { before: `__dpor.global(${quote(name)}, ${r.site(identifier.start, name)}, `, after: ')' }
  if (isReplaceableGlobal(identifier, r) && !isInDecorator(r)) {
    return { before: `(${looksAtReplaced(identifier, r)}, `, after: ')' }
  }
  const binding = r.analysis.binding(identifier)
  if (binding?.declarator !== undefined) return pairedRead(identifier, binding, r)
  if (binding?.source === undefined || binding.imported === '*' || isTool(binding.source) || isInDecorator(r)) return undefined
  return { before: `__dpor.live(${quote(binding.imported!)}, ${r.site(identifier.start, binding.name)}, `, after: ')' }
}

/** `ns.x` of `import * as ns`: `__dpor.live('x', site, ns.x)`. */
export function liveMember(member: Node, r: Rewriting): LiveRead | undefined {
  const object = member.object as Node
  if (member.computed || object.type !== 'Identifier' || isInDecorator(r)) return undefined
  const binding = r.analysis.binding(object)
  if (binding?.imported !== '*' || isTool(binding.source!)) return undefined
  return { before: `__dpor.live(${quote(member.property.name as string)}, ${r.site(member.property.start, r.text(member))}, `, after: ')' }
}

/** A decorator is a name or a call, and nothing more. */
const isInDecorator = (r: Rewriting): boolean => r.ancestors.some(({ type }) => type === 'Decorator')

/** `, [['x', '/file.js', 'x'], ['y', 'x']]`: the variables that a file exports and changes, and the names that it exports otherwise. */
export function exportsOf(r: Rewriting): string[] {
  return r.analysis.exports.flatMap(({ name, local, imported }) => {
    const binding = local === undefined ? undefined : r.analysis.moduleVariable(local)
    if (binding?.recorded) return [`[${quote(name)}, ${r.variable(binding)}]`]
    const other = imported ?? binding?.imported
    return other !== undefined && other !== '*' && other !== name ? [`[${quote(name)}, ${quote(other)}]`] : []
  })
}
