import { isFunction, type Node, unwrap } from '../1-parse/node.ts'
import { beginBlock } from './async-kinds.ts'
import type { Rewriting } from './rewriting.ts'

/** `const f = () => {}` -> `const f = () => {}, $1 = __dpor.closure(f)`, where the function is used otherwise than by calling it. */
export function nameDeclared(declarator: Node, r: Rewriting): void {
  const { id, init } = declarator as { id: Node; init: Node } & Node
  if (!isFunction(init) && init.type !== 'ClassExpression') return
  if (!isLocal(r) || r.ancestors.at(-3)?.type === 'ExportNamedDeclaration') return
  if (!r.analysis.uses(id).some((use) => !isCalled(use, r))) return
  r.insert(declarator.end, `, ${r.names.fresh()} = __dpor.closure(${id.name})`)
}

/** A class that is declared inside a function is another one with each call: `class C {}` -> `class C {} __dpor.closure(C);`. */
export function nameDeclaredClass(declaration: Node, r: Rewriting): void {
  if (isLocal(r)) r.insert(declaration.end, ` __dpor.closure(${declaration.id.name});`)
}

/** The same of a function that is used otherwise than by calling it, as of one in a variable: it is there before what stands before it. */
export function nameDeclaredFunction(declaration: Node, r: Rewriting): void {
  if (!isLocal(r) || !r.analysis.uses(declaration.id).some((use) => !isCalled(use, r))) return
  const text = `__dpor.closure(${declaration.id.name});`
  if (!beginBlock(text, r)) r.insert(declaration.end, ` ${text}`)
}

/** A function or class that is another one with each call of the function that it stands in. */
export function isMadeInside(definition: Node, r: Rewriting): boolean {
  const made = unwrap(definition)
  return (isFunction(made) || made.type === 'ClassExpression') && isLocal(r)
}

const isLocal = (r: Rewriting): boolean => r.ancestors.slice(0, -1).some((ancestor) => isFunction(ancestor) || ancestor.type === 'StaticBlock')

const isCalled = (use: Node, r: Rewriting): boolean => /^\s*\(/.test(r.source.slice(use.end, use.end + 20))
