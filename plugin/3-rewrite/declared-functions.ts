import { isFunction, type Node } from '../1-parse/node.ts'
import type { Rewriting } from './rewriting.ts'

/** `const f = () => {}` -> `const f = () => {}, $1 = __dpor.closure(f)`, where the function is used otherwise than by calling it. */
export function nameDeclared(declarator: Node, r: Rewriting): void {
  const { id, init } = declarator as { id: Node; init: Node } & Node
  if (!isFunction(init) && init.type !== 'ClassExpression') return
  const isLocal = r.ancestors.some((ancestor) => isFunction(ancestor) || ancestor.type === 'StaticBlock')
  if (!isLocal || r.ancestors.at(-3)?.type === 'ExportNamedDeclaration') return
  if (!r.analysis.uses(id).some((use) => !isCalled(use, r))) return
  r.insert(declarator.end, `, ${r.names.fresh()} = __dpor.closure(${id.name})`)
}

const isCalled = (use: Node, r: Rewriting): boolean => /^\s*\(/.test(r.source.slice(use.end, use.end + 20))
