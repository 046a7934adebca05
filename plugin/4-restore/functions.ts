import { isFunction as isFunctionNode, type Node } from '../1-parse/node.ts'
import type { Restoring } from './restoring.ts'
import { hadNoBlock, nameOf, withoutParentheses } from './shapes.ts'
import { isAddedStatement, isParameter, statementsText } from './statements.ts'

/** What runs in the place of an async function. */
interface Frame {
  /** The function that has the body. */
  readonly inner: Node
  /** Whether it has the parameters as well. */
  readonly hasParameters: boolean
  readonly isGenerator: boolean
  /** By which name stack traces know it. */
  readonly name: string | undefined
}

/** A function that is an expression or declared. */
export function functionText(node: Node, restoring: Restoring): string | undefined {
  const frame = frameOf(node, restoring)
  if (node.type === 'ArrowFunctionExpression') return frame ? asyncArrow(node, frame, restoring) : arrow(node, restoring)
  if (!frame) return withBody(node, restoring)
  const parameters = frame.hasParameters ? parametersOf(frame.inner, restoring) : parametersOf(node, restoring)
  return `async function${frame.isGenerator ? '*' : ''} ${node.id ? (node.id.name as string) : ''}${parameters} ${bodyOf(frame, restoring)}`
}

function withBody(node: Node, restoring: Restoring): string | undefined {
  if (!node.body) return undefined
  const params = node.params as Node[]
  const own = params.filter((parameter) => !restoring.isAdded(parameter))
  if (own.length === params.length) return restoring.between([...params, node.body as Node], node)
  const start = params[0]!.start
  return `${restoring.slice(node.start, start)}${restoring.between(own, { start, end: own.at(-1)?.end ?? start })}${restoring.slice(params.at(-1)!.end, node.body.start as number)}${restoring.text(node.body as Node)}`
}

/** A method of an object or a class, and what has its place there: a function that is declared stands as one until it has its value. */
export function asMethod(member: Node, restoring: Restoring, isFunction = false): string {
  const fn = member.value as Node
  const key = member.key as Node
  const frame = frameOf(fn, restoring)
  if (!frame) return restoring.around(member)
  const parameters = parametersOf(frame.hasParameters ? frame.inner : fn, restoring)
  const star = frame.isGenerator ? '*' : ''
  const body = bodyOf(frame, restoring)
  const isDeclared = isFunction || (member.type === 'Property' && key.type === 'Literal' && !member.computed && (frame.isGenerator || frame.name === key.value || key.value === ''))
  if (isDeclared) return `async function${star} ${key.value === 'default' ? '' : String(key.value)}${parameters} ${body}`
  const keyText = member.computed ? `[${restoring.text(key)}]` : restoring.text(key)
  return `${member.static ? 'static ' : ''}async ${star}${keyText}${parameters} ${body}`
}

/** `function $1() { return __dpor.asynchronous({ 'f'() {} }['f']) }` */
export function isDeclaredLater(node: Node, restoring: Restoring): boolean {
  if (node.type !== 'FunctionDeclaration' || !restoring.isAdded(node.id as Node)) return false
  const [statement] = node.body.body as Node[]
  return statement?.type === 'ReturnStatement' && !!statement.argument && nameOf(statement.argument as Node) === 'asynchronous'
}

function frameOf(fn: Node, restoring: Restoring): Frame | undefined {
  const result = resultOf(fn, restoring)
  if (!result) return undefined
  const [run] = (result.arguments ?? []) as Node[]
  const name = nameOf(result)
  if (name === 'generate') return { inner: withoutParentheses(run!.callee.object as Node), hasParameters: false, isGenerator: true, name: undefined }
  if (name !== 'run') return undefined
  const direct = named(run!)
  if (direct.fn.async) return { inner: direct.fn, hasParameters: false, isGenerator: false, name: direct.name }
  const call = withoutParentheses(direct.fn.body as Node)
  const callee = withoutParentheses(call.callee as Node)
  const inside = named(callee.type === 'SequenceExpression' ? (callee.expressions.at(-1) as Node) : callee)
  return { inner: inside.fn, hasParameters: true, isGenerator: false, name: inside.name }
}

/** A function that an object's key may give a name. */
function named(node: Node): { readonly fn: Node; readonly name: string | undefined } {
  const inner = withoutParentheses(node)
  if (inner.type !== 'MemberExpression' || inner.object.type !== 'ObjectExpression') return { fn: inner, name: undefined }
  const property = inner.object.properties[0] as Node
  return { fn: property.value as Node, name: property.key.value as string | undefined }
}

/** What a function returns that does nothing else. */
function resultOf({ body }: Node, restoring: Restoring): Node | undefined {
  if (!body) return undefined
  if (body.type !== 'BlockStatement') return withoutParentheses(body as Node)
  const [statement, ...others] = (body.body as Node[]).filter((node) => !isAddedStatement(node, restoring) && typeof node.directive !== 'string')
  return statement?.type === 'ReturnStatement' && others.length === 0 && statement.argument ? withoutParentheses(statement.argument as Node) : undefined
}

/** With their parentheses. */
function parametersOf(fn: Node, restoring: Restoring): string {
  const params = fn.params as Node[]
  if (params.length === 0) return '()'
  return `(${restoring.between(params, { start: params[0]!.start, end: params.at(-1)!.end })})`
}

function bodyOf({ inner }: Frame, restoring: Restoring): string {
  const body = inner.body as Node
  const text = restoring.text(body)
  return body.type !== 'BlockStatement' && text.startsWith('{') ? `(${text})` : text
}

function asyncArrow(node: Node, frame: Frame, restoring: Restoring): string {
  const body = bodyOf(frame, restoring)
  if (frame.hasParameters) return `async ${parametersOf(frame.inner, restoring)} => ${body}`
  return `async ${headOf(node, restoring)}${body}`
}

/** Up to its body, with its parameters. */
const headOf = (node: Node, restoring: Restoring): string => restoring.between(node.params as Node[], { start: node.start, end: node.body.start as number })

function arrow(node: Node, restoring: Restoring): string | undefined {
  const params = node.params as Node[]
  const body = node.body as Node
  const result = resultOf(node, restoring)
  const names = params.map((parameter) => (parameter.type === 'AssignmentPattern' ? parameter.left : parameter.type === 'RestElement' ? parameter.argument : parameter) as Node)
  if (names.length > 0 && names.every((name) => restoring.isAdded(name))) {
    const callee = result?.type === 'CallExpression' ? withoutParentheses(result.callee as Node) : undefined
    if (callee && isFunctionNode(callee)) return restoring.text(callee)
    return takenApart(node, names.map(({ name }) => name as string), restoring)
  }
  if (body.type !== 'BlockStatement') return `${headOf(node, restoring)}${asExpression(restoring.text(body))}`
  return `${headOf(node, restoring)}${isExpression(body) ? asExpression(restoring.text(body.body.at(-1).argument as Node)) : restoring.text(body)}`
}

/** Whether the block of an arrow function stands for an expression. */
const isExpression = ({ body }: Node): boolean => body.length > 1 && hadNoBlock(body[0] as Node) && body.at(-1).type === 'ReturnStatement'

const asExpression = (text: string): string => (text.startsWith('{') ? `(${text})` : text)

/** `($1) => {let { a } = $1;return (a)}` */
function takenApart(node: Node, names: readonly string[], restoring: Restoring): string | undefined {
  const statements = (node.body.type === 'BlockStatement' ? node.body.body : []) as Node[]
  const at = statements.findIndex((statement) => !isAddedStatement(statement, restoring))
  const first = statements[at]
  const declarators = (first?.declarations ?? []) as Node[]
  if (declarators.length !== names.length || !declarators.every(({ init }, i) => init && isParameter(init as Node, names[i]!))) return undefined
  const head = `(${declarators.map(({ id }) => restoring.text(id as Node)).join(', ')}) => `
  if (isExpression(node.body as Node)) {
    const value = statements.at(-1)!.argument as Node
    // In parentheses as it was emitted: the value may stand on the next line.
    return head + asExpression(restoring.text(value.type === 'ParenthesizedExpression' ? (value.expression as Node) : value))
  }
  return `${head}{${statementsText(statements.slice(at + 1), { around: { start: first!.end, end: node.body.end as number }, isAdded: (statement) => isAddedStatement(statement, restoring) }, restoring)}`
}
