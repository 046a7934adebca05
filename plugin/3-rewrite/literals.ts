import { isFunction, type Node } from '../1-parse/node.ts'
import { asyncMethodsOfClass, asyncMethodsOfObject } from './async-kinds.ts'
import { nameDeclaredClass } from './declared-functions.ts'
import { isImportMeta } from './globals.ts'
import { liveRead } from './live-bindings.ts'
import { madeName } from './made-names.ts'
import { isPrimitive, operand } from './operands.ts'
import type { Rewriting } from './rewriting.ts'
import { flag, namesOr } from './twins.ts'
import { readVariable } from './variables.ts'

/** `{...}` -> `__dpor.made({...}, site)`. */
export function ObjectExpression(node: Node, r: Rewriting): void {
  const isNamed = !r.once.localLiterals.has(node, r)
  const opening = r.insert(node.start, '__dpor.made(')
  if (!isNamed) r.edits.names--
  r.children(node)
  const methods = node.type === 'ObjectExpression' ? asyncMethodsOfObject(node, r) : ''
  const number = r.places.all.length
  const site = r.site(node.start, r.text(node), madeName(node, r))
  if (r.isInTwin || !r.canKeep || methods) return void r.insert(node.end, `, ${site}${methods})`)
  const name = r.temporary()
  opening.text = `(${name} = `
  r.insert(node.end, `, ${isNamed ? namesOr(number, r) : flag} ? __dpor.made(${name}, ${site}) : ${name})`)
}

export const ArrayExpression = ObjectExpression

/** A regular expression is an object, with a position. */
export function Literal(node: Node, r: Rewriting): void {
  if ('regex' in node && node.regex) ObjectExpression(node, r)
}

export function Property(node: Node, r: Rewriting): void {
  if (node.shorthand) {
    const binding = r.recorded(node.value)
    const live = binding ? undefined : liveRead(node.value, r)
    if (binding) r.insert(node.end, `: ${readVariable(binding, node.value, r)}`)
    if (live) r.insert(node.end, `: ${live.before}${r.text(node.value)}${live.after}`)
    return
  }
  if (node.computed) operand(node.key, r)
  r.visit(node.value)
}

/** An array in a template is read as a whole. */
export function TemplateLiteral(node: Node, r: Rewriting): void {
  for (const expression of node.expressions as Node[]) {
    if (isPrimitive(expression, r)) {
      r.visit(expression)
      continue
    }
    r.wrap(expression, '__dpor.coerced((', `), ${r.site(expression.start, r.text(expression))})`)
  }
}

/** Object spread reads all properties; spread in arrays and calls iterates. */
export function SpreadElement(node: Node, r: Rewriting): void {
  const isGiven = r.parent.type === 'CallExpression' || r.parent.type === 'NewExpression'
  const after = `, ${r.site(node.argument.start, `${isGiven ? '...' : ''}${r.text(node.argument)}`)})`
  if (r.parent.type === 'ObjectExpression') r.wrap(node.argument, '__dpor.enumerate(', after)
  else r.wrap(node.argument, '__dpor.iterate(', after, ['__dpor.iterable(', after])
}

export function JSXSpreadAttribute(node: Node, r: Rewriting): void {
  r.wrap(node.argument, '__dpor.enumerate(', `, ${r.site(node.argument.start, r.text(node.argument))})`)
}

/** `{e}` -> `{0||(e)}` where parentheses may hold a sequence: some compilers of JSX refuse one there, in parentheses as well. */
export function JSXExpressionContainer({ expression }: Node, r: Rewriting): void {
  const before = r.insert(expression.start, '')
  const { mark } = r.edits
  r.visit(expression)
  if (r.edits.mark.every((count, i) => count === mark[i]) || r.edits.firstCharacter(expression.start, mark) !== '(') return
  before.text = '0||('
  r.insert(expression.end, ')')
}

export function ClassDeclaration(node: Node, r: Rewriting): void {
  classDefinition(node, r)
  if (node.id && !node.declare) nameDeclaredClass(node, r)
}

export function classDefinition(node: Node, r: Rewriting): void {
  // Type arguments may follow only a name.
  if (!node.superTypeArguments && node.superClass && !isImportMeta(node.superClass, r)) baseClass(node.superClass, r)
  const { calls } = r.edits
  const methods = r.insert(node.body.start + 1, '')
  r.visit(node.body)
  methods.text = asyncMethodsOfClass(node, r)
  // A class without functions has no other place for the mark that functions have.
  if (r.edits.calls === calls && !hasText(node.body)) r.insert(node.body.start + 1, `static{'__dpor'}`)
}

/** `class A extends f` -> `class A extends __dpor.base(f)` for a declared async function: what stands for it is a constructor. */
function baseClass(node: Node, r: Rewriting): void {
  const binding = node.type === 'Identifier' ? r.analysis.binding(node) : undefined
  const isAsync = binding?.scope.variables.get(binding.name)?.definitions.some(({ type, node: declared }) => type === 'FunctionName' && declared.async)
  if (isAsync) r.replace(node.start, node.end, `__dpor.base(${r.text(node)})`)
  else r.visit(node)
}

/** The functions of the class are marked. */
const hasText = (body: Node): boolean =>
  (body.body as Node[]).some((member) => member.value?.body && isFunction(member.value))
