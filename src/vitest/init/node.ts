/** What of a syntax tree is looked at in a config. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}

interface Kinds {
  readonly ObjectExpression: { readonly properties: readonly Node[] }
  readonly ArrayExpression: { readonly elements: readonly (Node | null)[] }
  readonly Property: { readonly key: Node; readonly value: Node }
  readonly CallExpression: { readonly callee: Node; readonly arguments: readonly Node[] }
  readonly ArrowFunctionExpression: { readonly body: Node }
  readonly FunctionExpression: { readonly body: Node | null }
  readonly FunctionBody: { readonly body: readonly Node[] }
  readonly BlockStatement: { readonly body: readonly Node[] }
  readonly ReturnStatement: { readonly argument: Node | null }
  readonly ParenthesizedExpression: { readonly expression: Node }
  readonly TSAsExpression: { readonly expression: Node }
  readonly TSSatisfiesExpression: { readonly expression: Node }
  readonly ExpressionStatement: { readonly expression: Node; readonly directive?: string | null }
  readonly AssignmentExpression: { readonly left: Node; readonly right: Node }
  readonly MemberExpression: { readonly object: Node; readonly property: Node }
  readonly VariableDeclaration: { readonly declarations: readonly { readonly id: Node; readonly init: Node | null }[] }
  readonly ImportDeclaration: { readonly specifiers: readonly { readonly local: Node }[] }
  readonly ExportDefaultDeclaration: { readonly declaration: Node }
  readonly Identifier: { readonly name: string }
  readonly Literal: { readonly value: unknown }
}

/** The node, if it is of that kind. */
export function ofKind<Kind extends keyof Kinds>(node: Node | null | undefined, kind: Kind): (Node & Kinds[Kind]) | undefined {
  return node?.type === kind ? (node as Node & Kinds[Kind]) : undefined
}

export type ObjectExpression = NonNullable<ReturnType<typeof ofKind<'ObjectExpression'>>>

export const nameOf = (node: Node | null | undefined): string | undefined => ofKind(node, 'Identifier')?.name

export function propertyOf(object: ObjectExpression | undefined, name: string) {
  return object?.properties.map((property) => ofKind(property, 'Property')).find((property) => nameOf(property?.key) === name || ofKind(property?.key, 'Literal')?.value === name)
}
