import type { Node } from '../1-parse/node.ts'
import type { Fragment, Mark } from './edits.ts'
import type { Hole } from './output.ts'
import type { Rewriting } from './rewriting.ts'

/**
 * Outside an exploration the plain expression is evaluated: `a.b + c.d` -> `(__dporOn ? __dpor.get(...) + __dpor.get(...) : a.b + c.d)`. As a
 * property of the global object that has only ever been false the test costs nothing in compiled code.
 */

const expressions = new Set([
  'ArrayExpression', 'AssignmentExpression', 'BinaryExpression', 'CallExpression', 'ChainExpression', 'ConditionalExpression', 'Identifier', 'Literal', 'LogicalExpression',
  'MemberExpression', 'NewExpression', 'ObjectExpression', 'ParenthesizedExpression', 'SequenceExpression', 'TemplateLiteral', 'TSAsExpression', 'TSNonNullExpression',
  'TSSatisfiesExpression', 'TSTypeAssertion', 'UnaryExpression', 'UpdateExpression',
])

/** Whether a node is an expression that can stand twice. */
export const mayBeTwin = (node: Node, r: Rewriting): boolean => expressions.has(node.type) && r.once.isNotIn(node, { canHoist: r.canKeep })

/** Texts before and after an expression. */
export type Around = readonly [before: string, after: string]

/** A part of the expression that is evaluated before it. */
export interface Hoisted extends Hole {
  readonly fragment: Fragment
  readonly mark: Mark
  /** How many texts in it call the runtime, and how many name what they make. */
  readonly calls: number
  readonly names: number
}

interface Writing {
  /** Returns what it has taken out of the expression. */
  readonly write: () => readonly Hoisted[]
  /** What stands around the plain expression. */
  readonly plain: Around | undefined
}

/** Writes the expression by `write`, and beside it the plain one. */
export function twin(node: Node, r: Rewriting, { write, plain = ['', ''] }: Writing): void {
  const open = r.edits.insertOwn(node.start, '')
  const { calls, names } = r.edits
  const site = r.places.all.length
  const hoisted = write()
  const within = (count: 'calls' | 'names'): number => hoisted.reduce((sum, part) => sum + part[count], 0)
  if (r.edits.calls === calls + within('calls')) return hoisted.toReversed().forEach((part) => r.putBack(part))
  const [before, after] = node.type === 'SequenceExpression' ? ['(', ')'] : ['', '']
  open.text = '('
  const condition = `${r.edits.names > names + within('names') ? namesOr(site, r) : flag} ? ${before}`
  // The variable gives a function no name.
  open.parts = [...hoisted.flatMap(({ name, fragment }) => [`${name} = (0, `, fragment, '), ']), condition]
  const origin = plain[1] === '' ? undefined : node.start
  r.edits.insertOwn(node.end, `${after} : `)
  r.edits.insertOwn(node.end, `${plain[0]}${before}`, origin)
  r.edits.copy(node.end, node, hoisted)
  r.edits.insertOwn(node.end, `${after}${plain[1]}`, origin)
  r.edits.insertOwn(node.end, ')')
}

export const flag = '__dporOn'
/** What is made after that many others at one place is merged with all of its class: nobody will tell a thousand of them apart. */
const mostNamed = 250

/** What makes an object is also asked for its name where an exploration may follow. A place that is not known yet (NaN) has no count, and gives a name to all. */
export const namesOr = (site: number, r: Rewriting): string => `${flag} || __dporNames && !(__dporNames[${r.names.table}+${site}]++ >= ${mostNamed})`
