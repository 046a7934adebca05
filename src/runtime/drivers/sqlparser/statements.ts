import { Array } from '../../../engine/intrinsics.ts'
import type { Catalogue, Table } from '../sql/catalogue.ts'
import type { TableAccess } from '../sql/footprint.ts'
import type { Dialect } from './dialects.ts'
import type { Tree } from './parser.ts'

/** A statement does what nobody knows: it counts as a change of everything. */
class NotUnderstood extends Error {}

/** What a statement does to tables, as far as its text and the catalogue tell. */
export interface Effects {
  readonly reads: readonly TableAccess[]
  /** Its rows are locked, or changed: known by their keys, which all of them have only if there are as many. */
  readonly writes: readonly TableAccess[]
  /** As many rows as that have to be found or made, or gaps between rows are locked. Undefined where whole tables are meant. */
  readonly rows: number | undefined
}

/** Of these the order of what they are given makes no difference. */
const unordered = new Set(['avg', 'count', 'max', 'min', 'sum'])

/** Parts of statements of which all is known that they lead to. */
const understood = new Set([
  'Between', 'BinaryOp', 'Boolean', 'Case', 'Cast', 'ColumnName', 'CompoundIdentifier', 'DoubleQuotedString', 'Expr', 'Expressions', 'ExprWithAlias', 'Function', 'Identifier', 'InList', 'Inner', 'IsNotNull', 'IsNull', 'Join', 'Left',
  'LeftOuter', 'Like', 'LimitOffset', 'List', 'Nested', 'Null', 'Number', 'On', 'Placeholder', 'QualifiedWildcard', 'SingleQuotedString', 'Table', 'UnaryOp', 'Unnamed', 'UnnamedExpr', 'Using', 'Value', 'Wildcard',
])

/** What is known of where a statement is run. */
interface Known {
  readonly catalogue: Catalogue
  /** That of tables whose names stand alone. */
  readonly database: string
  readonly dialect: Dialect
}

/** The values of parameters, in the order in which they stand in the text: `?`, `:name`. */
type ValuesOf = (parameters: readonly string[]) => readonly unknown[]

/** Goes through one statement. */
export function effectsOf(statement: Tree, valuesOf: ValuesOf, known: Known): Effects | undefined {
  try {
    return new Reader(known, parametersIn(statement, valuesOf)).read(statement)
  } catch (error) {
    if (error instanceof NotUnderstood) return undefined
    throw error
  }
}

/** What stands for a parameter is told apart by where it stands. */
type Parameters = ReadonlyMap<unknown, unknown>

function parametersIn(statement: Tree, valuesOf: ValuesOf): Parameters {
  const found: { readonly node: Tree; readonly name: string; readonly line: number; readonly column: number }[] = []
  const search = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const value = (node as Tree)['Value'] as Tree | undefined
    const name = value && fieldOf(value['value'], 'Placeholder')
    if (value && name !== undefined) {
      const { start } = value['span'] as { readonly start: { readonly line: number; readonly column: number } }
      found.push({ node: value, name: String(name), ...start })
    } else for (const part of globalThis.Object.values(node)) search(part)
  }
  search(statement)
  const ordered = found.toSorted((one, other) => one.line - other.line || one.column - other.column)
  const values = valuesOf(ordered.map(({ name }) => name))
  return new Map(ordered.map(({ node }, i) => [node, values[i]]))
}

class Reader {
  readonly #reads: TableAccess[] = []
  readonly #writes: TableAccess[] = []
  #rows: number | undefined
  readonly #known: Known
  readonly #parameters: Parameters

  constructor(known: Known, parameters: Parameters) {
    this.#known = known
    this.#parameters = parameters
  }

  read(statement: Tree): Effects {
    const [[type, fields]] = globalThis.Object.entries(statement) as [[string, Tree]]
    if (type === 'Query') this.#query(fields)
    else if (type === 'Insert') this.#insert(fields)
    else if (type === 'Update') this.#update(fields)
    else if (type === 'Delete') this.#delete(fields)
    else throw new NotUnderstood()
    return { reads: this.#reads, writes: this.#writes, rows: this.#rows }
  }

  #query(query: Tree): void {
    checkFields(query, ['body', 'order_by', 'limit_clause', 'locks'])
    const select = fieldOf(query['body'], 'Select') as Tree | undefined
    if (!select) throw new NotUnderstood()
    checkFields(select, ['projection', 'from', 'selection', 'group_by', 'having', 'distinct', 'flavor'])
    const locks = treesIn(query['locks'])
    const from = treesIn(select['from'])
    const only = from.length === 1 && treesIn(from[0]!['joins']).length === 0 ? (fieldOf(from[0]!['relation'], 'Table') as Tree | undefined) : undefined
    for (const part of [select['projection'], select['selection'], select['group_by'], select['having'], query['order_by'], query['limit_clause']]) this.#check(part)
    const tables = only ? [] : this.#tablesIn(from)
    if (locks.length > 0) {
      for (const lock of locks) checkFields(lock, ['lock_type'])
      if (only) this.#change(this.#table(only), this.#keysIn(only, select['selection']), 'lock')
      for (const table of tables) this.#change(table, undefined, 'lock')
      return
    }
    const inOrder = this.#known.dialect.rowsComeBy === 'changes' && (query['order_by'] === null || query['order_by'] === undefined)
    if (only) {
      const table = this.#table(only)
      const keys = this.#keysIn(only, select['selection'])
      if (keys) for (const row of keys) this.#reads.push({ table: table.name, kind: 'read', row })
      else this.#reads.push({ table: table.name, kind: 'read', ...(inOrder && !aggregatesOnly(select) && { inOrder: true }) })
    }
    for (const { name: table } of tables) this.#reads.push({ table, kind: 'read', ...(this.#known.dialect.rowsComeBy === 'changes' && { inOrder: true }) })
  }

  /** All that stand in a clause of several. */
  #tablesIn(from: readonly Tree[]): readonly Table[] {
    const tables: Table[] = []
    for (const { relation, joins, ...rest } of from) {
      checkFields(rest, [])
      const first = fieldOf(relation, 'Table') as Tree | undefined
      if (!first) throw new NotUnderstood()
      tables.push(this.#table(first))
      for (const join of treesIn(joins)) {
        checkFields(join, ['relation', 'join_operator'])
        const joined = fieldOf(join['relation'], 'Table') as Tree | undefined
        if (!joined) throw new NotUnderstood()
        tables.push(this.#table(joined))
        this.#check(join['join_operator'])
      }
    }
    return tables
  }

  #insert(insert: Tree): void {
    checkFields(insert, ['into', 'table', 'columns', 'source', 'assignments', 'returning'])
    this.#check(insert['returning'])
    const table = this.#changed({ name: fieldOf(insert['table'], 'TableName') })
    const body = (insert['source'] as Tree | null)?.['body']
    const rows = treesIn((fieldOf(body, 'Values') as Tree | undefined)?.['rows']).map((row) => treesIn(row['content']))
    const assigned = treesIn(insert['assignments'])
    const listed = assigned.length > 0 ? assigned.map(columnOf) : treesIn(insert['columns']).map((column) => nameIn(column))
    const columns = listed.length > 0 ? listed : table.columns
    const lists = assigned.length > 0 ? [assigned.map((one) => one['value'] as Tree)] : rows
    if (lists.length === 0) throw new NotUnderstood()
    this.#check(lists)
    const at = table.key === undefined ? -1 : columns.indexOf(table.key)
    const isGiven = (column: string): boolean => columns.includes(column) && lists.every((list) => this.#isNumber(list[columns.indexOf(column)]))
    const keys = at >= 0 && [...table.counted].every(isGiven) && !table.hasOtherUnique ? this.#texts(table, lists.map((list) => list[at])) : undefined
    this.#change(table, keys, 'insert', (i) => this.#written(columns, lists[i] ?? []))
    for (const name of table.refersTo) this.#writes.push({ table: name, kind: 'check' })
  }

  #update(update: Tree): void {
    checkFields(update, ['table', 'assignments', 'selection', 'returning'])
    this.#check(update['returning'])
    const range = this.#only(update['table'])
    const table = this.#changed(range)
    const assignments = treesIn(update['assignments'])
    const columns = assignments.map(columnOf)
    const checked = new Set([...table.checked, ...(table.key === undefined ? [] : [table.key])].map((column) => column.toLowerCase()))
    const isChecked = columns.some((column) => checked.has(column.toLowerCase()))
    if (isChecked && table.isReferredTo) throw new NotUnderstood()
    this.#check(update['selection'])
    const set = assignments.map((one) => one['value'] as Tree)
    this.#check(set)
    this.#change(table, isChecked ? undefined : this.#keysIn(range, update['selection']), 'update', () => this.#written(columns, set))
    if (isChecked) for (const name of table.refersTo) this.#writes.push({ table: name, kind: 'check' })
  }

  #delete(deletion: Tree): void {
    checkFields(deletion, ['from', 'selection', 'returning'])
    this.#check(deletion['returning'])
    const from = treesIn(fieldOf(deletion['from'], 'WithFromKeyword'))
    if (from.length !== 1) throw new NotUnderstood()
    const range = this.#only(from[0])
    const table = this.#changed(range)
    if (table.isReferredTo) throw new NotUnderstood()
    this.#check(deletion['selection'])
    this.#change(table, this.#keysIn(range, deletion['selection']), 'delete')
  }

  #change({ name: table }: Table, keys: readonly string[] | undefined, how: 'lock' | NonNullable<TableAccess['change']>, writtenTo: (index: number) => TableAccess['written'] = () => undefined): void {
    const change = how === 'lock' ? {} : { change: how }
    if (!keys) {
      this.#writes.push({ table, kind: 'write', ...change, written: writtenTo(0) })
      return
    }
    this.#rows = new Set(keys).size
    for (const [i, row] of keys.entries()) this.#writes.push({ table, kind: how === 'lock' ? 'lock' : 'write', ...change, row, written: writtenTo(i) })
  }

  /** The only table of a clause. */
  #only(from: unknown): Tree {
    const { relation, joins, ...rest } = from as Tree
    checkFields(rest, [])
    const table = fieldOf(relation, 'Table') as Tree | undefined
    if (!table || treesIn(joins).length > 0) throw new NotUnderstood()
    return table
  }

  #changed(range: Tree): Table {
    const table = this.#table(range)
    if (table.runsCode) throw new NotUnderstood()
    return table
  }

  #table(range: Tree): Table {
    checkFields(range, ['name', 'alias', 'index_hints'])
    const names = treesIn(range['name']).map((part) => nameIn(part))
    const { catalogue, database, dialect } = this.#known
    const name = names.length === 1 ? `${database}.${names[0]!}` : names.join('.')
    const table = catalogue.get(dialect.foldsTables ? name.toLowerCase() : name)
    if (!table) throw new NotUnderstood()
    return table
  }

  /** The rows that a condition leaves, where it names them by their primary key. */
  #keysIn(range: Tree, condition: unknown): readonly string[] | undefined {
    const table = this.#table(range)
    if (table.key === undefined) return undefined
    const both = fieldOf(condition, 'BinaryOp') as Tree | undefined
    if (both?.['op'] === 'And') return this.#keysIn(range, both['left']) ?? this.#keysIn(range, both['right'])
    const alias = (range['alias'] as { readonly name: { readonly value: string } } | null | undefined)?.name.value ?? nameIn(treesIn(range['name']).at(-1))
    const isKey = (node: unknown): boolean => {
      const parts = fieldOf(node, 'CompoundIdentifier') as readonly { readonly value: string }[] | undefined
      if (parts) return parts.length === 2 && parts[0]!.value === alias && parts[1]!.value === table.key
      return fieldOf(node, 'Identifier') !== undefined && nameIn(node as Tree) === table.key
    }
    if (both?.['op'] === 'Eq') {
      if (isKey(both['left'])) return this.#texts(table, [both['right']])
      return isKey(both['right']) ? this.#texts(table, [both['left']]) : undefined
    }
    const list = fieldOf(condition, 'InList') as Tree | undefined
    return list && list['negated'] !== true && isKey(list['expr']) ? this.#texts(table, treesIn(list['list'])) : undefined
  }

  #texts(table: Table, nodes: readonly unknown[]): readonly string[] | undefined {
    const texts = nodes.map((node) => this.#text(table, node))
    return texts.every((text) => text !== undefined) ? texts : undefined
  }

  /** A value that a column which counts takes as it is. */
  #isNumber(node: unknown): boolean {
    const value = this.#value(node)
    return ['number', 'string', 'bigint'].includes(typeof value) && !this.#known.dialect.isCounted(String(value))
  }

  /** Only numbers are compared by what they are: texts are equal as their collation has it. */
  #text({ hasIntegerKey }: Table, node: unknown): string | undefined {
    const value = this.#value(node)
    if (!hasIntegerKey || !['number', 'string', 'bigint'].includes(typeof value)) return undefined
    const text = String(value)
    return /^[-+]?\d+$/.test(text) ? String(BigInt(text.replace('+', ''))) : undefined
  }

  /** A value that stands in the text, or was given beside it; undefined of any other. */
  #value(node: unknown): unknown {
    const negative = fieldOf(node, 'UnaryOp') as Tree | undefined
    if (negative?.['op'] === 'Minus') {
      const inner = this.#value(negative['expr'])
      return typeof inner === 'string' ? `-${inner}` : undefined
    }
    const value = fieldOf(node, 'Value') as Tree | undefined
    if (!value) return undefined
    if (this.#parameters.has(value)) return this.#parameters.get(value)
    if (value['value'] === 'Null') return null
    const [text] = treesIn(fieldOf(value['value'], 'Number')) as unknown as readonly [string?]
    return text ?? fieldOf(value['value'], 'SingleQuotedString')
  }

  /** `{ balance: 102 }` */
  #written(columns: readonly string[], nodes: readonly unknown[]): Readonly<Record<string, unknown>> {
    return globalThis.Object.fromEntries(columns.map((column, i) => [column, this.#shown(nodes[i])]))
  }

  #shown(node: unknown): unknown {
    const value = this.#value(node)
    if (value === undefined) return '…'
    return typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value
  }

  /** Only parts of which all is known. */
  #check(node: unknown): void {
    if (typeof node === 'string' || typeof node !== 'object' || node === null) return
    if (Array.isArray(node)) {
      for (const part of node as readonly unknown[]) this.#check(part)
      return
    }
    const entries = globalThis.Object.entries(node)
    if (entries.length === 1 && /^[A-Z]/.test(entries[0]![0])) {
      const [type, fields] = entries[0]!
      if (!understood.has(type) || (type === 'Identifier' && nameIn(node as Tree).startsWith('@'))) throw new NotUnderstood()
      if (type === 'Function') checkFunction(fields as Tree, this.#known.dialect)
      this.#check(fields)
    } else for (const [name, value] of entries) if (name !== 'span' && name !== 'data_type') this.#check(value)
  }
}

function checkFunction(fields: Tree, { pure }: Dialect): void {
  checkFields(fields, ['name', 'parameters', 'args'])
  const names = treesIn(fields['name']).map((part) => nameIn(part).toLowerCase())
  if (names.length !== 1 || !pure.has(names[0]!)) throw new NotUnderstood()
}

/** Whether the only rows are made of all rows, whatever their order. */
function aggregatesOnly(select: Tree): boolean {
  const groups = fieldOf(select['group_by'], 'Expressions') as readonly (readonly unknown[])[] | undefined
  if (groups?.every((list) => list.length === 0) !== true) return false
  const isAggregate = (node: unknown): boolean => {
    const cast = fieldOf(node, 'Cast') as Tree | undefined
    if (cast) return isAggregate(cast['expr'])
    const called = fieldOf(node, 'Function') as Tree | undefined
    return called !== undefined && unordered.has(nameIn(treesIn(called['name'])[0]).toLowerCase())
  }
  return treesIn(select['projection']).every((one) => isAggregate(fieldOf(one, 'UnnamedExpr') ?? (fieldOf(one, 'ExprWithAlias') as Tree | undefined)?.['expr']))
}

/** Nothing else has a value. */
function checkFields(fields: Tree, names: readonly string[]): void {
  for (const [name, value] of globalThis.Object.entries(fields)) {
    if (names.includes(name) || name === 'span' || name.endsWith('_token')) continue
    if (value !== null && value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0)) throw new NotUnderstood()
  }
}

const treesIn = (value: unknown): readonly Tree[] => (Array.isArray(value) ? (value as readonly Tree[]) : [])

/** What a node of this type has; undefined of any other. */
const fieldOf = (node: unknown, type: string): unknown => (typeof node === 'object' && node !== null && !Array.isArray(node) ? (node as Tree)[type] : undefined)

/** `t` of `{ Identifier: { value: 't' } }`, alone or in a list. */
function nameIn(node: unknown): string {
  const part = Array.isArray(node) && node.length === 1 ? (node[0] as unknown) : node
  const name = fieldOf(fieldOf(part, 'Identifier'), 'value')
  if (typeof name !== 'string') throw new NotUnderstood()
  return name
}

function columnOf(assignment: Tree): string {
  const names = treesIn(fieldOf(assignment['target'], 'ColumnName')).map((part) => nameIn(part))
  if (names.length === 0) throw new NotUnderstood()
  return names.at(-1)!
}
