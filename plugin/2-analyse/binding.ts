import type { Definition, Scope, Variable } from 'eslint-scope'
import { isFunction, type Node } from '../1-parse/node.ts'

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
  /** Where an import comes from. */
  readonly source?: string
  readonly imported?: string
}

/** `captured`: used by a function inside the one that declares it. */
export function bindingOf(variable: Variable, { captured, reassigned, primitive, isUsedByParameters }: { captured: boolean; reassigned: boolean; primitive: boolean; isUsedByParameters: boolean }): Binding {
  const { name, scope } = variable
  const definition = variable.defs[0]!
  return { name, scope, reassigned, primitive, isUsedByParameters, recorded: captured && reassigned && canChange(definition, scope), isOwnFunction: !reassigned && variable.defs.length === 1 && isFunctionOf(definition), ...originOf(definition) }
}

/** A name that is assigned and declared nowhere: a property of the global object. */
export function globalBinding(name: string, scope: Scope): Binding {
  return { name, scope, reassigned: true, recorded: true, isUsedByParameters: false, isOwnFunction: false, primitive: false }
}

function isFunctionOf(definition: Definition): boolean {
  const node = definition.node as unknown as Node
  switch (definition.type) {
    case 'FunctionName': return !node.generator && !!node.body
    case 'Variable': return definition.parent.kind === 'const' && node.id.type === 'Identifier' && !!node.init && isFunction(node.init) && !node.init.generator
    default: return false
  }
}

function canChange(definition: Definition, scope: Scope): boolean {
  switch (definition.type) {
    case 'Variable': return definition.parent.kind === 'var' || definition.parent.kind === 'let'
    case 'Parameter':
    case 'CatchClause': return true
    // Inside a named function expression or class its name is a constant.
    case 'FunctionName':
    case 'ClassName': return scope.type !== 'function-expression-name' && scope.type !== 'class'
    case 'ImportBinding':
    case 'ImplicitGlobalVariable': return false
    default: return definition satisfies never
  }
}

function originOf(definition: Definition): { source: string; imported: string } | undefined {
  if (definition.type !== 'ImportBinding') return undefined
  const { node, parent } = definition
  return { source: parent.source.value as string, imported: importedName(node) }
}

function importedName(specifier: Extract<Definition, { type: 'ImportBinding' }>['node']): string {
  switch (specifier.type) {
    case 'ImportNamespaceSpecifier': return '*'
    case 'ImportDefaultSpecifier': return 'default'
    case 'ImportSpecifier': return specifier.imported.type === 'Identifier' ? specifier.imported.name : String(specifier.imported.value)
    default: return specifier satisfies never
  }
}
