import type { Node } from '../1-parse/node.ts'

/** What a file exports under a name: a variable of its own, or what it imports under another name. */
export interface Exported {
  readonly name: string
  /** The name in this file. */
  readonly local?: string
  /** The name in the file that it comes from. */
  readonly imported?: string
}

/** The exports of a file that are no values of the moment, but names of variables. */
export function exportsOf(program: Node): Exported[] {
  return (program.body as Node[]).flatMap((statement): Exported[] => {
    if (statement.exportKind === 'type') return []
    if (statement.type === 'ExportDefaultDeclaration') return statement.declaration.id ? [{ name: 'default', local: statement.declaration.id.name as string }] : []
    if (statement.type !== 'ExportNamedDeclaration') return []
    if (statement.declaration) return declaredNames(statement.declaration).map((name) => ({ name, local: name }))
    return (statement.specifiers as Node[]).map((specifier) => {
      const [name, local] = [nameOf(specifier.exported), nameOf(specifier.local)]
      return statement.source ? { name, imported: local } : { name, local }
    })
  })
}

function declaredNames(declaration: Node): string[] {
  if (declaration.type !== 'VariableDeclaration') return declaration.id?.type === 'Identifier' ? [declaration.id.name as string] : []
  return (declaration.declarations as Node[]).flatMap(({ id }) => namesIn(id))
}

function namesIn(pattern: Node | null): string[] {
  switch (pattern?.type) {
    case 'Identifier': return [pattern.name as string]
    case 'ObjectPattern': return (pattern.properties as Node[]).flatMap((property) => namesIn(property.type === 'Property' ? property.value : property))
    case 'ArrayPattern': return (pattern.elements as (Node | null)[]).flatMap(namesIn)
    case 'AssignmentPattern': return namesIn(pattern.left)
    case 'RestElement': return namesIn(pattern.argument)
    default: return []
  }
}

/** A name may be written as text. */
const nameOf = (node: Node): string => (node.type === 'Literal' ? String(node.value) : (node.name as string))
