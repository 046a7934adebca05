import { isFunction, type Node } from '../1-parse/node.ts'
import type { Definition, Scope, Variable } from './scopes.ts'

/** A declared name and what happens to it. */
export interface Binding {
  readonly name: string
  readonly scope: Scope
  /** Assigned after it was declared. */
  readonly reassigned: boolean
  /** Two processes can share it, and one of them can change it. */
  readonly recorded: boolean
  /** A function among the parameters that it is one of uses it: before the body begins, where the others get their identity. */
  readonly isUsedByParameters: boolean
  /** Always a function of this file that is no generator. */
  readonly isOwnFunction: boolean
  /** Never an object, whatever happens to it. */
  readonly primitive: boolean
  /** What a constant is declared with. */
  readonly value?: Node
  /** What declares a constant that is taken from a list. */
  readonly declarator?: Node
  /** Where an import comes from. */
  readonly source?: string
  readonly imported?: string
}

/** `captured`: used by a function inside the one that declares it. */
export function bindingOf(variable: Variable, { captured, reassigned, primitive, isUsedByParameters }: { captured: boolean; reassigned: boolean; primitive: boolean; isUsedByParameters: boolean }): Binding {
  const { name, scope, definitions } = variable
  const definition = definitions[0]!
  return { name, scope, reassigned, primitive, isUsedByParameters, recorded: captured && reassigned && canChange(definition, scope), isOwnFunction: !reassigned && definitions.length === 1 && isFunctionOf(definition), ...valueOf(definition), ...originOf(definition) }
}

/** A name that is assigned and declared nowhere: a property of the global object. */
export function globalBinding(name: string, scope: Scope): Binding {
  return { name, scope, reassigned: true, recorded: true, isUsedByParameters: false, isOwnFunction: false, primitive: false }
}

function isFunctionOf({ type, node, parent }: Definition): boolean {
  switch (type) {
    case 'FunctionName': return !node.generator && !!node.body
    case 'Variable': return parent.kind === 'const' && node.id.type === 'Identifier' && !!node.init && isFunction(node.init) && !node.init.generator
    default: return false
  }
}

function valueOf({ type, node, parent }: Definition): Pick<Binding, 'value' | 'declarator'> | undefined {
  if (type !== 'Variable' || parent.kind !== 'const') return undefined
  if (node.id.type === 'ArrayPattern') return { declarator: node }
  return node.id.type === 'Identifier' && node.init ? { value: node.init } : undefined
}

function canChange({ type, parent }: Definition, scope: Scope): boolean {
  switch (type) {
    case 'Variable': return parent.kind === 'var' || parent.kind === 'let'
    case 'Parameter':
    case 'CatchClause': return true
    // Inside a named function expression or class its name is a constant.
    case 'FunctionName':
    case 'ClassName': return scope.type !== 'function-expression-name' && scope.type !== 'class'
    case 'ImportBinding': return false
    default: return type satisfies never
  }
}

function originOf({ type, node, parent }: Definition): { source: string; imported: string } | undefined {
  return type === 'ImportBinding' ? { source: parent.source.value as string, imported: importedName(node) } : undefined
}

function importedName({ type, imported }: Node): string {
  switch (type) {
    case 'ImportNamespaceSpecifier': return '*'
    case 'ImportDefaultSpecifier': return 'default'
    default: return imported.type === 'Identifier' ? (imported.name as string) : String(imported.value)
  }
}
