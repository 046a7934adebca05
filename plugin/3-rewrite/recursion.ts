import { forEachChild, isFunction, type Node, unwrap } from '../1-parse/node.ts'
import { functionName } from './function-names.ts'
import { boundNames } from './patterns.ts'
import type { Rewriting } from './rewriting.ts'

/**
 * An async function that ends with a call of itself is a loop, and may be one that waits by asking again. At its beginning stands
 * `__dpor.again(site, a)`, with its parameters, as at the test of a loop that awaits, and such a call is `(__dpor.recurs(site), f(a))`.
 */
export function recursion(node: Node, r: Rewriting): string[] {
  if (!node.async || node.generator || r.mayEvaluate || !r.analysis.suspends(node.body) || usesArguments(node, r)) return []
  const calls = lastCalls(node).filter((call) => callsItself(call, node, r))
  if (calls.length === 0) return []
  const site = r.site(node.start, functionName(node, r))
  for (const call of calls) r.recursions.set(call, `(__dpor.recurs(${[site, ...methodOf(call)].join(', ')}), `)
  const carried = [...(node.params as Node[]).flatMap(boundNames).map(({ name }) => name as string), ...(calls.some(isMethodCall) ? ['this'] : [])]
  return [`__dporOn && __dpor.again(${[site, ...carried].join(', ')})`]
}

const usesArguments = (node: Node, r: Rewriting): boolean => (r.analysis.scope(node)?.variables.get('arguments')?.references.length ?? 0) > 0

/** The calls after which nothing of the function is left to run but to pass on what they come to. */
function lastCalls({ body }: Node): Node[] {
  const found: Node[] = []
  const inExpression = (node: Node, isCaught: boolean): void => {
    const value = unwrap(node)
    if (value.type === 'ConditionalExpression') for (const branch of [value.consequent, value.alternate]) inExpression(branch, isCaught)
    else if (value.type === 'LogicalExpression') inExpression(value.right, isCaught)
    else if (value.type === 'SequenceExpression') inExpression(value.expressions.at(-1), isCaught)
    else if (value.type === 'AwaitExpression' && !isCaught) inExpression(value.argument, isCaught)
    else if (value.type === 'CallExpression') found.push(value)
  }
  const inStatement = (node: Node, isCaught: boolean): void => {
    if (node.type === 'ReturnStatement' && node.argument) inExpression(node.argument, isCaught)
    else if (node.type === 'TryStatement') {
      if (node.finalizer) return
      inStatement(node.block, true)
      inStatement(node.handler.body, isCaught)
    } else if (node.type.endsWith('Statement') || node.type === 'SwitchCase') {
      // What is iterated over is told that this ends.
      if (node.type !== 'ForOfStatement') forEachChild(node, (child) => inStatement(child, isCaught))
    }
  }
  if (body.type === 'BlockStatement') inStatement(body, false)
  else inExpression(body, false)
  return found
}

const isMethodCall = ({ callee }: Node): boolean => unwrap(callee).type === 'MemberExpression'

function callsItself({ callee, optional, arguments: given }: Node, node: Node, r: Rewriting): boolean {
  const called = unwrap(callee)
  if (optional || (given as Node[]).some(mayCall)) return false
  if (called.type === 'Identifier') {
    const name = (node.id ?? (r.parent.type === 'VariableDeclarator' && r.parent.init === node ? r.parent.id : undefined)) as Node | undefined
    return name !== undefined && r.analysis.isOnly(name, called)
  }
  if (called.type !== 'MemberExpression' || called.computed || called.object.type !== 'ThisExpression' || node.type === 'ArrowFunctionExpression') return false
  const name = called.property.type === 'PrivateIdentifier' ? `#${called.property.name}` : (called.property.name as string)
  return r.parent.value === node && (r.parent.type === 'MethodDefinition' || r.parent.type === 'Property') && functionName(node, r) === name
}

/** Another call of the function could begin in between. */
function mayCall(node: Node): boolean {
  if (isFunction(node)) return false
  let calls = /^(?:Call|New|TaggedTemplate|Await|Yield)/.test(node.type)
  forEachChild(node, (child) => (calls ||= mayCall(child)))
  return calls
}

/** The object and the name of a method that others may stand in the place of. */
function methodOf({ callee }: Node): string[] {
  const called = unwrap(callee)
  return called.type === 'MemberExpression' && called.property.type !== 'PrivateIdentifier' ? ['this', `'${called.property.name}'`] : []
}
