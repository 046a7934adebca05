/** What differs between the dialects that the parser knows. */
export interface Dialect {
  readonly name: 'mysql' | 'sqlite'
  /** Functions that look at nothing but what they are given, at the time, or at what their connection has done where no other has it. */
  readonly pure: ReadonlySet<string>
  /** A table has its name in capital letters too. */
  readonly foldsTables: boolean
  /** Rows of which no order is asked for come in that in which they were changed, for all that is known; or by their keys. */
  readonly rowsComeBy: 'changes' | 'keys'
  /** What stands for no value in a column that counts, besides null: a column that is given it has the next number. */
  readonly isCounted: (value: string) => boolean
  /** What the parser takes otherwise than the server does. */
  readonly ambiguous: RegExp | undefined
  /** Something in the place of what the parser does not know. */
  readonly rewritten: (text: string) => string
}

/** The older way to say `for share`. */
const share = /\block\s+in\s+share\s+mode\s*;?\s*$/i

const common = ['abs', 'avg', 'coalesce', 'concat', 'concat_ws', 'count', 'date', 'ifnull', 'json_array', 'json_extract', 'json_object', 'length', 'lower', 'max', 'min', 'nullif', 'replace', 'round', 'substring', 'sum', 'trim', 'upper']

export const mysql: Dialect = {
  name: 'mysql',
  pure: new Set([...common, 'ceil', 'ceiling', 'char_length', 'date_add', 'date_sub', 'floor', 'greatest', 'if', 'json_arrayagg', 'last_insert_id', 'least', 'left', 'mod', 'now', 'right', 'values']),
  foldsTables: false,
  rowsComeBy: 'changes',
  isCounted: (value) => Number(value) === 0,
  // Comments that the server runs, and what settings of a session give another meaning.
  ambiguous: /\/\*M?!|\\/,
  rewritten: (text) => text.replace(share, 'for share'),
}

export const sqlite: Dialect = {
  name: 'sqlite',
  pure: new Set([
    ...common, 'char', 'datetime', 'format', 'group_concat', 'hex', 'iif', 'instr', 'json', 'json_array_length', 'json_group_array', 'json_group_object', 'json_type', 'json_valid', 'julianday', 'ltrim', 'printf', 'quote', 'rtrim', 'sign',
    'strftime', 'string_agg', 'substr', 'time', 'total', 'typeof', 'unicode', 'unixepoch', 'zeroblob',
  ]),
  foldsTables: true,
  rowsComeBy: 'keys',
  isCounted: () => false,
  ambiguous: undefined,
  rewritten: (text) => text,
}
