import type { Catalogue } from './catalogue.ts'
import type { TableAccess } from './footprint.ts'
import { typeOf, type Tree } from './tree.ts'

const changing = { 'insert\\s+into': 'insert', 'update': 'update', 'delete\\s+from': 'delete' } as const

/** The tables that a text is about which is not understood, as far as one sees at a glance: what runs them may be a function that it makes. */
export function namedIn(text: string, catalogue: Catalogue): readonly TableAccess[] {
  return globalThis.Object.entries(changing).flatMap(([words, change]) =>
    globalThis.Array.from(text.matchAll(new RegExp(`\\b${words}\\s+(?:only\\s+)?(?:public\\.|"public"\\.)?(?:"([^"]+)"|(\\w+))`, 'gi')), ([, quoted, name]) => catalogue.get(quoted ?? name!.toLowerCase()))
      .filter((table) => table !== undefined)
      .map(({ name: table }) => ({ table, kind: 'write', change }) as const),
  )
}

/** The tables that a statement makes, and that are there afterwards: `"a"."b"`, as the server writes it. */
export function createdBy(statement: Tree): readonly string[] {
  const [type, fields] = typeOf(statement)
  const range = type === 'CreateStmt' ? (fields['relation'] as Tree) : type === 'CreateTableAsStmt' ? ((fields['into'] as Tree)['rel'] as Tree) : undefined
  if (!range || range['relpersistence'] === 't') return []
  return [[range['schemaname'], range['relname']].filter((name) => name !== undefined).map((name) => `"${String(name).replace(/"/g, '""')}"`).join('.')]
}
