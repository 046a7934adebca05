import { Array, Object } from '../../../engine/intrinsics.ts'

/** What PostgreSQL's own parser makes of a text, as far as it is looked at: nodes that name their type by their only key. */
export type Tree = Readonly<Record<string, unknown>>

export type Parse = (text: string) => { readonly stmts: readonly { readonly stmt: Tree }[] }

export const treesIn = (value: unknown): readonly Tree[] => (Array.isArray(value) ? (value as readonly Tree[]) : [])

/** The fields of a node of this type; undefined of any other. */
export function fieldsOf(node: unknown, type: string): Tree | undefined {
  return typeof node === 'object' && node !== null ? ((node as Tree)[type] as Tree | undefined) : undefined
}

/** The type of a node, and its fields. */
export function typeOf(node: Tree): readonly [type: string, fields: Tree] {
  return Object.entries(node)[0] as [string, Tree]
}

/** `"a"."b"` of a list of names. */
export const namesIn = (list: unknown): readonly string[] => treesIn(list).map((part) => String(fieldsOf(part, 'String')?.['sval'] ?? ''))

/** A value that stands in the text, or was given beside it, as text; undefined where it is another, or none. */
export function constantOf(node: unknown, values: readonly unknown[]): string | undefined {
  const parameter = fieldsOf(node, 'ParamRef')
  if (parameter) return textOf(values[Number(parameter['number']) - 1])
  const cast = fieldsOf(node, 'TypeCast')
  if (cast) return isPlain(cast['typeName'] as Tree) ? constantOf(cast['arg'], values) : undefined
  const constant = fieldsOf(node, 'A_Const')
  if (!constant) return undefined
  const integer = constant['ival'] as Tree | undefined
  if (integer) return String(integer['ival'] ?? 0)
  const text = constant['sval'] as Tree | undefined
  return text && String(text['sval'] ?? '')
}

/** A value as a reader is to see it: one that has to be worked out is not known. */
export function shownValue(node: unknown, values: readonly unknown[]): unknown {
  const parameter = fieldsOf(node, 'ParamRef')
  if (parameter) return values[Number(parameter['number']) - 1]
  const constant = fieldsOf(node, 'A_Const')
  if (constant?.['isnull'] === true) return null
  const [integer, truth] = [constant?.['ival'], constant?.['boolval']] as (Tree | undefined)[]
  if (truth) return truth['boolval'] === true
  return integer ? (integer['ival'] ?? 0) : (constantOf(node, values) ?? '…')
}

/** Types that leave the text of a value as it is. */
const isPlain = (type: Tree): boolean => type['typmods'] === undefined && type['arrayBounds'] === undefined && /^(?:int[248]|text|varchar)$/.test(namesIn(type['names']).at(-1) ?? '')

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined
}
