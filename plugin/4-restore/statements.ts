import type { Node } from '../1-parse/node.ts'
import type { Restoring } from './restoring.ts'
import { isCallOf, isFlag, isMark, nameOf, withoutParentheses } from './shapes.ts'

/** Whether a statement was put in. */
export function isAddedStatement(node: Node, restoring: Restoring): boolean {
  switch (node.type) {
    case 'IfStatement': return isFlag(node.test as Node) || isCallOf('drives', node.test as Node)
    case 'VariableDeclaration': return (node.declarations as Node[]).every((declarator) => isAddedDeclarator(declarator, restoring))
    case 'ExpressionStatement': return isMark(node) || isTold(node.expression as Node, restoring)
    case 'FunctionDeclaration': return isStub(node)
    default: return false
  }
}

/** An expression that only tells the runtime something, or gives what is declared its value. */
function isTold(expression: Node, restoring: Restoring): boolean {
  const inner = withoutParentheses(expression)
  if (inner.type === 'LogicalExpression') return isFlag(inner.left as Node) || isCallOf('noConstructor', inner.right as Node)
  if (inner.type === 'AssignmentExpression') return restoring.isAdded(inner.right as Node) || (inner.right.type === 'CallExpression' && restoring.isAdded(inner.right.callee as Node))
  const name = nameOf(inner)
  return name === 'again' || name === 'made' || name === 'closure' || name === 'forwards'
}

/** What is called before the function that is declared has its value. */
function isStub({ body }: Node): boolean {
  return (body?.body as Node[] | undefined)?.length === 2 && isMark(body.body[0] as Node) && body.body[1].type === 'ReturnStatement' && body.body[1].argument?.callee?.property?.name === 'apply'
}

const isAddedDeclarator = ({ id, init }: Node, restoring: Restoring): boolean => restoring.isAdded(id as Node) && (!init || restoring.slice(init.start as number, init.end as number).includes('__dpor') || init.type === 'Identifier')

export function declarationText(node: Node, restoring: Restoring): string | undefined {
  const declarators = node.declarations as Node[]
  const kept = declarators.filter((declarator) => !isAddedDeclarator(declarator, restoring))
  if (kept.length === declarators.length || kept.length === 0) return undefined
  const { start, end } = node
  return `${restoring.slice(start, declarators[0]!.start)}${kept.map((declarator) => restoring.text(declarator)).join(', ')}${restoring.slice(declarators.at(-1)!.end, end)}`
}

/** What the rewriting has put into a class. */
export function isAddedMember(member: Node, restoring: Restoring): boolean {
  if (member.type === 'StaticBlock') return (member.body as Node[]).length > 0 && (member.body as Node[]).every((statement) => isMark(statement) || /^__dpor\.asynchronous(?:Members)?\(/.test(restoring.slice(statement.start, statement.end)))
  return member.type === 'PropertyDefinition' && member.key.type === 'PrivateIdentifier' && restoring.isAdded({ ...member.key, type: 'Identifier' } as Node)
}

interface Within {
  readonly around: { readonly start: number; readonly end: number }
  readonly isAdded: (node: Node) => boolean
}

/** The statements of a block, or the members of a class, without those that were put in. */
export function statementsText(nodes: readonly Node[], { around, isAdded }: Within, restoring: Restoring): string {
  let text = ''
  let position = around.start
  for (const [i, node] of nodes.entries()) {
    if (isAdded(node)) {
      text += restoring.slice(position, node.start).replace(/\/\* istanbul ignore next \*\/ $/, '')
      position = node.end
      // A line of its own goes as a whole.
      if (/\n[ \t]*$/.test(text) && restoring.source[position] === '\n') text = text.slice(0, text.lastIndexOf('\n'))
    } else if (isSeparator(node, nodes[i + 1], restoring)) {
      text += restoring.slice(position, node.start)
      position = node.end
    } else {
      text += restoring.slice(position, node.start) + restoring.text(switchIn(node, restoring))
      position = node.end
    }
  }
  return text + restoring.slice(position, around.end)
}

/** There is no place for a declaration inside a switch: `{let $s1 = ...;switch (a) {}}` */
function switchIn(node: Node, restoring: Restoring): Node {
  const [declaration, statement, ...others] = (node.type === 'BlockStatement' ? node.body : []) as Node[]
  const isAround = declaration?.type === 'VariableDeclaration' && statement?.type === 'SwitchStatement' && others.length === 0 && isAddedStatement(declaration, restoring)
  return isAround && declaration.start === node.start + 1 && statement.end === node.end - 1 ? statement : node
}

/** A semicolon before what begins with a parenthesis that was put in. */
function isSeparator(node: Node, next: Node | undefined, restoring: Restoring): boolean {
  return node.type === 'EmptyStatement' && next?.type === 'ExpressionStatement' && next.start === node.end && /^\((?:__dporOn|\$|\()|^__dpor/.test(restoring.slice(next.start, next.start + 20))
}

/** `catch ($1) { let { message } = $1; ... }` */
export function catchText(node: Node, restoring: Restoring): string | undefined {
  if (!restoring.isAdded(node.param as Node)) return undefined
  const body = node.body as Node
  const statements = body.body as Node[]
  const at = statements.findIndex((statement) => statement.type === 'VariableDeclaration' && !isAddedStatement(statement, restoring) && statement.declarations[0].init !== null && isParameter(statement.declarations[0].init as Node, node.param.name as string))
  if (at === -1) return `catch ${restoring.text(body)}`
  const pattern = restoring.text(statements[at]!.declarations[0].id as Node)
  const rest = statements.slice(at + 1)
  const start = statements[at]!.end
  return `catch (${pattern}) {${statementsText(rest, { around: { start, end: body.end }, isAdded: (statement) => isAddedStatement(statement, restoring) }, restoring)}`
}

/** Whether a value is what a parameter that was put in has. */
export function isParameter(value: Node, name: string): boolean {
  const inner = withoutParentheses(value)
  if (inner.type === 'Identifier') return inner.name === name
  if (inner.type === 'ConditionalExpression') return isFlag(inner.test as Node) && isParameter(inner.alternate as Node, name)
  return inner.type === 'LogicalExpression' && isCallOf('taken', inner.right as Node) && isParameter(inner.left as Node, name)
}
