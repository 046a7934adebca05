import { forEachChild, type Node } from '../1-parse/node.ts'
import type { Hole } from './output.ts'
import type { Rewriting } from './rewriting.ts'

/**
 * A function that makes neither functions nor objects can stand twice as a whole: `f(a) { body }` -> `f(a) { if (__dporOn) return function $dpor_f(a)
 * { body that calls the runtime }.call(this, a);body }`. Else it would be much longer than as it was written, and V8 puts only what is short in
 * the place of a call. What is inside captures nothing of the function around it, as all that it uses of that has a variable of its own.
 */

interface Facts {
  /** How many texts will call the runtime, or more. */
  weight: number
  makes: number
  usesThis: boolean
}

type Kind = 'accesses' | 'makes' | 'throws' | 'this' | 'name' | 'literal'

/** What there may be in a function that matters, by type of node. */
const kinds = new Map<string, Kind>([
  ...['MemberExpression', 'CallExpression', 'AssignmentExpression', 'UpdateExpression'].map((type) => [type, 'accesses'] as const),
  ...['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression', 'ClassDeclaration', 'ClassExpression', 'ObjectExpression', 'ArrayExpression', 'NewExpression', 'TaggedTemplateExpression', 'RestElement',
    // What is the function's own.
    'Super', 'MetaProperty', 'YieldExpression', 'AwaitExpression',
    // Declarations of types, whose members line breaks may separate, and of what is no variable of a function's own.
    'TSInterfaceDeclaration', 'TSTypeAliasDeclaration', 'TSEnumDeclaration', 'TSModuleDeclaration', 'TSImportEqualsDeclaration'].map((type) => [type, 'makes'] as const),
  ['ThrowStatement', 'throws'],
  ['ThisExpression', 'this'],
  ['Identifier', 'name'],
  ['Literal', 'literal'],
])

/** Less than that V8 puts in the place of a call in any case. */
const lightest = 6

/** Looks at all nodes of a file, each before what is in it, and says which functions are leaves. */
export class LeafFunctions {
  readonly #leaves = new Map<Node, Facts>()
  #facts: Facts = { weight: 0, makes: 0, usesThis: false }

  /** @param look looks at what is in the function */
  function(node: Node, look: () => void): void {
    const around = this.#facts
    around.makes++
    const facts = (this.#facts = { weight: 0, makes: 0, usesThis: false })
    look()
    this.#facts = around
    if (facts.makes === 0 && facts.weight >= lightest) this.#leaves.set(node, facts)
  }

  look(node: Node): void {
    const kind = kinds.get(node.type)
    if (kind === undefined) return
    const facts = this.#facts
    switch (kind) {
      case 'accesses': return void facts.weight++
      case 'makes': return void facts.makes++
      // Nobody asks for the name that an error has where it is made.
      case 'throws': return void (facts.makes -= node.argument.type === 'NewExpression' ? 1 : 0)
      case 'this': return void (facts.usesThis = true)
      case 'name': return void (facts.makes += node.name === 'arguments' || node.name === 'eval' ? 1 : 0)
      case 'literal': return void (facts.makes += node.regex ? 1 : 0)
      default: kind satisfies never
    }
  }

  /** What stands around the body of a leaf that calls the runtime. */
  frame(node: Node, r: Rewriting): { readonly open: string; readonly close: string } | undefined {
    const facts = this.#leaves.get(node)
    const parameters = node.params as Node[]
    if (!facts || node.async || node.generator || node.body.type !== 'BlockStatement' || !r.once.isNotIn(node.body, { canHoist: false })) return undefined
    const names = parameters.map(nameOf)
    if (names.includes(undefined)) return undefined
    const list = names.join(', ')
    const name = innerName(node, r)
    if (name === undefined) return undefined
    if (node.type === 'ArrowFunctionExpression') return { open: `if (__dporOn) { const ${name} = (${list}) => {`, close: `}; return ${name}(${list}); }` }
    return { open: `if (__dporOn) return function ${name}(${list}) {`, close: `}.call(${[facts.usesThis ? 'this' : 'void 0', ...names].join(', ')});` }
  }
}

/** That of a parameter that is one variable. */
function nameOf(parameter: Node): string | undefined {
  const variable = (parameter.type === 'AssignmentPattern' ? parameter.left : parameter) as Node
  return variable.type === 'Identifier' && variable.name !== 'this' ? (variable.name as string) : undefined
}

/**
 * What stack traces call what is inside, by which the runtime leaves it out of them (`stack-frames.ts`): no name of the file's. Undefined where the function
 * may name itself, which would capture that name.
 */
function innerName(node: Node, r: Rewriting): string | undefined {
  const { parent } = r
  if (node.type === 'FunctionExpression' && node.id && r.text({ start: node.id.end, end: node.end }).includes(node.id.name as string)) return undefined
  const key = (node.id ?? parent.key ?? parent.id) as Node | undefined
  return `${r.names.table}_${key?.type === 'Identifier' ? (key.name as string) : ''}`
}

const ended = new Set(['ExpressionStatement', 'VariableDeclaration', 'ReturnStatement', 'ThrowStatement', 'BreakStatement', 'ContinueStatement', 'DebuggerStatement', 'DoWhileStatement'])

/** Where line breaks end statements of a body, which are gone where it stands once more. */
export function missingSemicolons(body: Node, r: Rewriting): Hole[] {
  const holes: Hole[] = []
  const look = (node: Node, parent: Node): void => {
    if (!/(?:Statement|Declaration|Case|Clause)$/.test(node.type)) return
    forEachChild(node, (child) => look(child, node))
    const isInHead = parent.type.startsWith('For') && node !== parent.body
    if (ended.has(node.type) && !isInHead && r.source[node.end - 1] !== ';') holes.push({ start: node.end, end: node.end, name: ';' })
  }
  forEachChild(body, (child) => look(child, body))
  return holes
}
