import { visitorKeys } from 'oxc-parser/src-js/index.js'

/** A node of the syntax tree (ESTree, with TypeScript's nodes), as loosely as the visitors need it. */
export interface Node {
  type: string
  start: number
  end: number
  // oxlint-disable-next-line no-explicit-any
  [key: string]: any
}

const typeKeys = new Set([
  'typeAnnotation', 'returnType', 'typeParameters', 'typeArguments', 'superTypeArguments', 'implements', 'decorators',
])

/** TypeScript nodes that contain code which runs; all others are types. */
const runtimeNodes = new Set([
  'TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression', 'TSTypeAssertion', 'TSInstantiationExpression',
  'TSExportAssignment', 'TSParameterProperty', 'TSModuleDeclaration', 'TSModuleBlock',
])

type Visit = (child: Node) => void
type Walk = (node: Node, visit: Visit) => void

/**
 * For each type of node what visits the children that are code and not types, in the order of the source. It is written out, as engines find a
 * property much faster where the text has its name.
 */
const walks: ReadonlyMap<string, Walk> = new Map(
  Object.entries(visitorKeys as Record<string, readonly string[]>).map(([type, keys]) => [type, type.startsWith('TS') && !runtimeNodes.has(type) ? () => {} : walkThrough(keys.filter((key) => !typeKeys.has(key)))]),
)

function walkThrough(keys: readonly string[]): Walk {
  // oxlint-disable-next-line no-new-func
  return new Function('node', 'visit', keys.map((key) => `{
    const child = node.${key}
    if (Array.isArray(child)) { for (const item of child) if (item) visit(item) } else if (child) visit(child)
  }`).join('')) as Walk
}

export function forEachChild(node: Node, visit: Visit): void {
  walks.get(node.type)?.(node, visit)
}

export function someChild(node: Node, test: (child: Node) => boolean): boolean {
  let isFound = false
  forEachChild(node, (child) => (isFound ||= test(child)))
  return isFound
}

/** Parentheses and type assertions, which mean nothing when the program runs. */
const transparent = new Set(['ParenthesizedExpression', 'TSNonNullExpression', 'TSAsExpression', 'TSSatisfiesExpression', 'TSTypeAssertion'])

export const isTransparent = ({ type }: Node): boolean => transparent.has(type)

/** The expression inside of such. */
export function unwrap(node: Node): Node {
  let inner = node
  while (isTransparent(inner)) inner = inner.expression as Node
  return inner
}

export const isFunction = (node: Node): boolean =>
  node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression'

/** A function or class without a name of its own, which takes the name of the variable it is assigned to. */
export function isAnonymousDefinition(node: Node): boolean {
  let inner = node
  while (inner.type === 'ParenthesizedExpression') inner = inner.expression as Node
  return inner.type === 'ArrowFunctionExpression' || ((inner.type === 'FunctionExpression' || inner.type === 'ClassExpression') && !inner.id)
}
