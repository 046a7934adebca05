import type { Node } from '../1-parse/node.ts'
import type { Rewriting } from './rewriting.ts'

/** What only a line break ends. A function before it that becomes a call would be continued by what stands below, which it cannot be itself. */

/** With what a statement begins that continues the line above it where that has no semicolon. */
export const continues = '([`<+-/'

const endsByExpression = /^(?:ExpressionStatement|VariableDeclaration|ReturnStatement|ThrowStatement|ExportNamedDeclaration|ExportDefaultDeclaration)$/

/** Whether only the line break ends a statement. */
export function isOpen(node: Node | undefined, r: Rewriting): boolean {
  if (!node || hasSemicolon(node, r)) return false
  if (endsByExpression.test(node.type)) return true
  const last = node.type === 'IfStatement' ? (node.alternate ?? node.consequent) : /^(?:For.*|While|Labeled|With)Statement$/.test(node.type) ? node.body : undefined
  return isOpen(last as Node | undefined, r)
}

/** How members begin that would continue a call, or a field without a value, once their `async` is gone. */
const continuesField = /^(?:async\s*)?(?:[[*]|in(?:stanceof)?\b)/

/** Puts a semicolon before each member that would continue the field above it. */
export function separateMembers(members: readonly Node[], r: Rewriting): void {
  members.forEach((member, i) => {
    if (isOpenField(members[i - 1], r) && continuesField.test(r.source.slice(member.start, member.end))) r.insert(member.start, ';')
  })
}

const isOpenField = (member: Node | undefined, r: Rewriting): boolean => member !== undefined && /^(?:PropertyDefinition|AccessorProperty)$/.test(member.type) && !hasSemicolon(member, r)

const hasSemicolon = ({ end }: Node, r: Rewriting): boolean => r.source[end - 1] === ';'
