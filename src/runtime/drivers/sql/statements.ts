import { Array } from '../../../engine/intrinsics.ts'
import { createdBy, namedIn } from './at-a-glance.ts'
import type { Catalogue, Table } from './catalogue.ts'
import { definitions, type Footprint, type TableAccess } from './footprint.ts'
import { ofSession } from './of-session.ts'
import { constantOf, fieldsOf, namesIn, shownValue, treesIn, typeOf, type Parse, type Tree } from './tree.ts'

/** A statement does what nobody knows: it counts as a change of everything. */
class NotUnderstood extends Error {}

/** Functions that look at nothing but what they are given, or at the time. */
const pure = new Set([
  'abs', 'array_agg', 'array_length', 'avg', 'bool_and', 'bool_or', 'btrim', 'cardinality', 'ceil', 'char_length', 'concat', 'count', 'current_database', 'current_schema', 'date_trunc', 'every', 'extract', 'floor', 'initcap', 'json_agg',
  'json_build_array', 'json_build_object', 'jsonb_agg', 'jsonb_build_array', 'jsonb_build_object', 'left', 'length', 'like_escape', 'lower', 'ltrim', 'max', 'md5', 'min', 'mod', 'now', 'position', 'power', 'replace',
  'right', 'round', 'row_number', 'rtrim', 'sign', 'split_part', 'sqrt', 'string_agg', 'strpos', 'substring', 'sum', 'timezone', 'to_char', 'to_json', 'to_jsonb', 'trunc', 'unnest', 'upper',
])

/** Of these the order of what they are given makes no difference. */
const unordered = new Set(['avg', 'bool_and', 'bool_or', 'count', 'every', 'max', 'min', 'sum'])

/** Parts of statements of which all is known that they lead to. */
const understood = new Set([
  'A_ArrayExpr', 'A_Const', 'A_Expr', 'A_Indices', 'A_Indirection', 'A_Star', 'Alias', 'BoolExpr', 'BooleanTest', 'CaseExpr', 'CaseWhen', 'CoalesceExpr', 'CollateClause', 'ColumnRef', 'CommonTableExpr', 'FuncCall', 'IndexElem',
  'JoinExpr', 'List', 'LockingClause', 'MinMaxExpr', 'MultiAssignRef', 'NullTest', 'ParamRef', 'RangeSubselect', 'RangeVar', 'ResTarget', 'RowExpr', 'SelectStmt', 'SetToDefault', 'SortBy', 'SQLValueFunction', 'String', 'SubLink',
  'TypeCast', 'WindowDef', 'InsertStmt', 'UpdateStmt', 'DeleteStmt',
])

/** Statements that change nothing but rows, if they change anything. */
const changesRows = new Set(['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt', 'TruncateStmt', 'LockStmt', 'VariableSetStmt', 'CopyStmt', 'NotifyStmt'])

/** Fields whose value is a node without its type. */
const untyped: Readonly<Record<string, string>> = { larg: 'SelectStmt', rarg: 'SelectStmt', relation: 'RangeVar' }

/** What a text does, by what PostgreSQL's own parser makes of it. */
export function footprintOf(text: string, values: readonly unknown[], { parse, catalogue }: { readonly parse: Parse; readonly catalogue: Catalogue }): Footprint {
  let statements: readonly Tree[]
  try {
    statements = parse(text).stmts.map(({ stmt }) => stmt)
  } catch {
    return { kind: 'everything' }
  }
  const [first] = statements
  if (statements.length === 1 && first) {
    const session = ofSession(first)
    if (session) return session
  }
  const reader = new Reader(catalogue, values)
  try {
    for (const statement of statements) reader.read(statement)
  } catch (error) {
    if (error instanceof NotUnderstood) return { kind: 'everything', keepsTables: statements.every((statement) => changesRows.has(typeOf(statement)[0])), creates: statements.flatMap(createdBy), names: namedIn(text, catalogue) }
    throw error
  }
  return { kind: 'tables', accesses: reader.accesses }
}

/** Goes through statements, and collects what they access. */
class Reader {
  readonly accesses: TableAccess[] = []
  readonly #catalogue: Catalogue
  readonly #values: readonly unknown[]
  /** Names of what the statement itself defines. */
  #defined: ReadonlySet<string> = new Set()

  constructor(catalogue: Catalogue, values: readonly unknown[]) {
    this.#catalogue = catalogue
    this.#values = values
  }

  /** One statement. */
  read(statement: Tree): void {
    this.#defined = new Set(definedIn(statement))
    this.#node(statement)
  }

  #node(node: Tree): void {
    const [type, fields] = typeOf(node)
    if (!understood.has(type)) throw new NotUnderstood()
    if (type === 'SelectStmt') return this.#select(fields)
    if (type === 'InsertStmt') return this.#insert(fields)
    if (type === 'UpdateStmt') return this.#update(fields)
    if (type === 'DeleteStmt') return this.#delete(fields)
    if (type === 'RangeVar') return this.#reads(fields, { isOrdered: false, locks: false })
    if (type === 'FuncCall') checkFunction(fields)
    this.#parts(fields)
  }

  /** All that a node has, but for what was dealt with already. */
  #parts(fields: Tree, done: readonly string[] = []): void {
    for (const [name, value] of globalThis.Object.entries(fields)) {
      if (done.includes(name)) continue
      const type = untyped[name]
      if (Array.isArray(value)) for (const part of value as readonly unknown[]) this.#value(part)
      else if (type !== undefined && typeof value === 'object' && value !== null && !isNode(value)) this.#node({ [type]: value })
      else this.#value(value)
    }
  }

  /** A node, the fields of one without its type, or a plain value. */
  #value(value: unknown): void {
    if (typeof value !== 'object' || value === null) return
    if (isNode(value)) this.#node(value as Tree)
    else this.#parts(value as Tree, ['typeName'])
  }

  #select(fields: Tree): void {
    const from = treesIn(fields['fromClause'])
    const only = from.length === 1 ? fieldsOf(from[0], 'RangeVar') : undefined
    if (fields['intoClause']) throw new NotUnderstood()
    const locks = fields['lockingClause'] !== undefined
    const isOrdered = fields['sortClause'] !== undefined || aggregatesOnly(fields)
    if (only) this.#reads(only, { isOrdered, locks, where: fields['whereClause'] })
    // A lock on what several tables lead to: on any row of any of them.
    else if (locks) for (const table of tablesIn(from)) this.#change(this.#table(table), undefined)
    this.#parts(fields, only ? ['fromClause', 'lockingClause'] : ['lockingClause'])
  }

  #reads(range: Tree, { isOrdered, locks, where }: { readonly isOrdered: boolean; readonly locks: boolean; readonly where?: unknown }): void {
    if (this.#isDefined(range)) return
    if (isDefinition(range) && !locks) return void this.accesses.push({ table: definitions, kind: 'read' })
    const table = this.#table(range)
    const rows = this.#rowsOf(table, range, where)
    if (locks && !rows) return this.#change(table, undefined)
    if (rows) for (const row of rows) this.accesses.push({ table: table.name, kind: locks ? 'lock' : 'read', row })
    else this.accesses.push({ table: table.name, kind: 'read', ...(!isOrdered && { inOrder: true }) })
  }

  #insert(fields: Tree): void {
    const table = this.#changed(fields['relation'] as Tree)
    const lists = treesIn((fieldsOf(fields['selectStmt'], 'SelectStmt') ?? {})['valuesLists']).map((list) => treesIn(fieldsOf(list, 'List')?.['items']))
    const named = treesIn(fields['cols']).map((column) => String(fieldsOf(column, 'ResTarget')?.['name']))
    // Those for which there are no values have their defaults.
    const columns = named.length > 0 ? named : (table.columns ?? []).slice(0, lists[0]?.length ?? 0)
    this.#change(table, this.#insertedRows(table, columns, lists), 'insert', (index) => this.#written(columns, lists[index] ?? []))
    for (const name of table.refersTo) this.accesses.push({ table: name, kind: 'check' })
    const conflict = fields['onConflictClause'] as Tree | undefined
    if (conflict && touches(table, assignedIn(conflict['targetList']))) throw new NotUnderstood()
    this.#parts(fields, ['relation'])
  }

  /** The rows that are inserted, where their keys are known and nothing else is asked of the table as a whole. */
  #insertedRows(table: Table, columns: readonly string[], lists: readonly (readonly Tree[])[]): readonly string[] | undefined {
    const at = table.key === undefined ? -1 : columns.indexOf(table.key)
    if (at < 0 || table.hasOtherUnique || lists.length === 0) return undefined
    const isGiven = (column: string): boolean => columns.includes(column) && lists.every((list) => fieldsOf(list[columns.indexOf(column)], 'SetToDefault') === undefined)
    if (![...table.counted].every(isGiven)) return undefined
    const rows = lists.map((list) => this.#keyText(table, list[at]))
    return rows.every((row) => row !== undefined) ? rows : undefined
  }

  #update(fields: Tree): void {
    const range = fields['relation'] as Tree
    const table = this.#changed(range)
    const isSimple = fields['fromClause'] === undefined
    const isChecked = touches(table, assignedIn(fields['targetList']))
    if (isChecked && table.isReferredTo) throw new NotUnderstood()
    if (isChecked) for (const name of table.refersTo) this.accesses.push({ table: name, kind: 'check' })
    const targets = treesIn(fields['targetList'])
    const written = this.#written(assignedIn(targets), targets.map((target) => fieldsOf(target, 'ResTarget')?.['val']))
    this.#change(table, isSimple && !isChecked ? this.#rowsOf(table, range, fields['whereClause']) : undefined, 'update', () => written)
    this.#parts(fields, ['relation'])
  }

  #delete(fields: Tree): void {
    const range = fields['relation'] as Tree
    const table = this.#changed(range)
    if (table.isReferredTo) throw new NotUnderstood()
    this.#change(table, fields['usingClause'] === undefined ? this.#rowsOf(table, range, fields['whereClause']) : undefined, 'delete')
    this.#parts(fields, ['relation'])
  }

  #change({ name: table }: Table, rows: readonly string[] | undefined, change?: TableAccess['change'], writtenTo: (index: number) => TableAccess['written'] = () => undefined): void {
    const kind = { kind: 'write', ...(change && { change }) } as const
    if (rows) for (const [index, row] of rows.entries()) this.accesses.push({ table, ...kind, row, written: writtenTo(index) })
    else this.accesses.push({ table, ...kind, written: writtenTo(0) })
  }

  /** `{ balance: 102 }` */
  #written(columns: readonly string[], nodes: readonly unknown[]): Readonly<Record<string, unknown>> {
    return globalThis.Object.fromEntries(columns.map((column, i) => [column, shownValue(nodes[i], this.#values)]))
  }

  #changed(range: Tree): Table {
    const table = this.#table(range)
    if (table.runsCode) throw new NotUnderstood()
    return table
  }

  #table(range: Tree): Table {
    if (range['catalogname'] !== undefined) throw new NotUnderstood()
    const name = String(range['relname'])
    const table = this.#catalogue.get(range['schemaname'] === undefined ? name : `${String(range['schemaname'])}.${name}`)
    if (!table) throw new NotUnderstood()
    return table
  }

  #isDefined(range: Tree): boolean {
    return range['schemaname'] === undefined && this.#defined.has(String(range['relname']))
  }

  /** The rows that a condition leaves, where it names them by their primary key. */
  #rowsOf(table: Table, range: Tree, where: unknown): readonly string[] | undefined {
    if (table.key === undefined || where === undefined) return undefined
    const both = fieldsOf(where, 'BoolExpr')
    if (both?.['boolop'] === 'AND_EXPR') {
      for (const part of treesIn(both['args'])) {
        const rows = this.#rowsOf(table, range, part)
        if (rows) return rows
      }
      return undefined
    }
    const expression = fieldsOf(where, 'A_Expr')
    if (!expression || namesIn(expression['name']).join('.') !== '=') return undefined
    const { lexpr, rexpr } = expression as { lexpr?: unknown; rexpr?: unknown }
    if (expression['kind'] === 'AEXPR_IN') return isKey(lexpr, table, range) ? this.#keys(table, treesIn(fieldsOf(rexpr, 'List')?.['items'])) : undefined
    if (expression['kind'] !== 'AEXPR_OP') return undefined
    if (isKey(lexpr, table, range)) return this.#keys(table, [rexpr])
    return isKey(rexpr, table, range) ? this.#keys(table, [lexpr]) : undefined
  }

  #keys(table: Table, nodes: readonly unknown[]): readonly string[] | undefined {
    const texts = nodes.map((node) => this.#keyText(table, node))
    return texts.every((text) => text !== undefined) ? texts : undefined
  }

  #keyText(table: Table, node: unknown): string | undefined {
    const text = constantOf(node, this.#values)
    if (text === undefined || !table.hasIntegerKey) return text
    return /^\s*[-+]?\d+\s*$/.test(text) ? String(BigInt(/[-+]?\d+/.exec(text)![0])) : undefined
  }
}

const isDefinition = (range: Tree): boolean => range['catalogname'] === undefined && range['schemaname'] === definitions

/** A column of this name, of this table: `id`, `account.id`, `public.account.id`. */
function isKey(node: unknown, { key }: Table, range: Tree): boolean {
  const names = namesIn(fieldsOf(node, 'ColumnRef')?.['fields'])
  const alias = (range['alias'] as Tree | undefined)?.['aliasname']
  const of = alias === undefined ? [range['schemaname'], range['relname']] : [alias]
  return names.at(-1) === key && names.length <= of.length + 1 && names.slice(0, -1).every((name, i, given) => name === of[of.length - given.length + i])
}

/** A node has one key, which is its type. */
function isNode(value: object): boolean {
  const keys = globalThis.Object.keys(value)
  return keys.length === 1 && /^[A-Z]/.test(keys[0]!)
}

function checkFunction(fields: Tree): void {
  const names = namesIn(fields['funcname'])
  const isBuiltIn = names.length === 1 || (names.length === 2 && names[0] === 'pg_catalog')
  if (!isBuiltIn || !pure.has(names.at(-1)!)) throw new NotUnderstood()
}

/** Whether the only rows are made of all rows, whatever their order. */
function aggregatesOnly(fields: Tree): boolean {
  if (fields['groupClause'] !== undefined || fields['op'] !== 'SETOP_NONE') return false
  const targets = treesIn(fields['targetList'])
  return targets.length > 0 && targets.every((target) => isAggregate(fieldsOf(target, 'ResTarget')?.['val']))
}

function isAggregate(node: unknown): boolean {
  const cast = fieldsOf(node, 'TypeCast')
  if (cast) return isAggregate(cast['arg'])
  const call = fieldsOf(node, 'FuncCall')
  return call !== undefined && call['over'] === undefined && unordered.has(namesIn(call['funcname']).at(-1)!)
}

const assignedIn = (targets: unknown): readonly string[] => treesIn(targets).map((target) => String(fieldsOf(target, 'ResTarget')?.['name']))

const touches = (table: Table, columns: readonly string[]): boolean => columns.some((column) => column === table.key || table.checked.has(column))

/** The names of common table expressions, wherever they stand. */
function definedIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  const own = fieldsOf(node, 'CommonTableExpr')
  return [...(own ? [String(own['ctename'])] : []), ...globalThis.Object.values(node).flatMap(definedIn)]
}

/** All tables that stand in a clause. */
function tablesIn(node: unknown): Tree[] {
  if (typeof node !== 'object' || node === null) return []
  const own = fieldsOf(node, 'RangeVar')
  return own ? [own] : globalThis.Object.values(node).flatMap(tablesIn)
}
