import { isFunction, type Node, unwrap } from '../1-parse/node.ts'
import type { Binding } from '../2-analyse/binding.ts'
import type { LiveRead } from './live-bindings.ts'
import type { Rewriting } from './rewriting.ts'

/** A value that somebody else keeps, with the function that gives it another one: `const [text, setText] = useState('')`. What they are called tells, or that the function which is called for them is a hook. */

const setters = /^(?:set[\p{Lu}_$].*|dispatch)$/u
const hooks = /(?:^|\.)use\p{Lu}[\p{L}\d_$]*$/u

/** The names of the two, where a declaration takes them from what a call returns; a value that nobody asks for has none. */
function pairOf({ id, init }: Node, r: Rewriting): { readonly value: string | undefined; readonly setter: string } | undefined {
  const call = init && unwrap(init)
  if (id.type !== 'ArrayPattern' || call?.type !== 'CallExpression') return undefined
  const [value, second, ...others] = id.elements as (Node | null)[]
  if (second?.type !== 'Identifier' || others.length > 0) return undefined
  if (!setters.test(second.name as string) && !hooks.test(r.text(call.callee))) return undefined
  return { value: value?.type === 'Identifier' ? (value.name as string) : undefined, setter: second.name as string }
}

/** What the value is called, and what gives it another one: `text setText`. */
export function pairName(pattern: Node, r: Rewriting): string | undefined {
  const declarator = r.ancestors.at(-1)
  const pair = declarator?.type === 'VariableDeclarator' && declarator.id === pattern ? pairOf(declarator, r) : undefined
  return pair && `${pair.value ?? ''} ${pair.setter}`
}

/** The same of a list that a declaration takes apart by index, as compilers for older engines have it: `var _a = useState(''), text = _a[0], setText = _a[1]`. */
export function indexedPairName({ id, init }: Node, r: Rewriting): string | undefined {
  const declaration = r.ancestors.at(-2)
  if (declaration?.type !== 'VariableDeclaration') return undefined
  const nameAt = (index: number): string | undefined =>
    (declaration.declarations as Node[]).find((other) => other.id.type === 'Identifier' && isElement(other.init as Node | null, id.name as string, index))?.id.name as string | undefined
  const setter = nameAt(1)
  if (setter === undefined || !(setters.test(setter) || isOfHook(init as Node, declaration, r))) return undefined
  return `${nameAt(0) ?? ''} ${setter}`
}

/** `_a[0]` */
const isElement = (node: Node | null, list: string, index: number): boolean =>
  node?.type === 'MemberExpression' && node.computed === true && node.object.type === 'Identifier' && node.object.name === list && node.property.type === 'Literal' && node.property.value === index

/** `useState('')`, `(0, react.useState)('')`, and what makes a list of that: `__read(useState(''), 2)`, where that may have been declared before. */
function isOfHook(init: Node, declaration: Node, r: Rewriting): boolean {
  const call = unwrap(init)
  if (call.type === 'Identifier') {
    const declarator = (declaration.declarations as Node[]).find(({ id }) => id.type === 'Identifier' && id.name === call.name)
    return declarator?.init?.type === 'CallExpression' && isOfHook(declarator.init as Node, declaration, r)
  }
  if (call.type !== 'CallExpression') return false
  const callee = unwrap(call.callee as Node)
  const called = callee.type === 'SequenceExpression' ? (callee.expressions as Node[]).at(-1)! : callee
  const [list, size] = call.arguments as Node[]
  return hooks.test(r.text(called)) || (list !== undefined && size?.type === 'Literal' && size.value === 2 && isOfHook(list, declaration, r))
}

/** `text`, in a function that may run when it is something else since: `__dpor.paired(text, setText, site)`. */
export function pairedRead(identifier: Node, { name, declarator, scope }: Binding, r: Rewriting): LiveRead | undefined {
  const pair = declarator && pairOf(declarator, r)
  if (pair?.value !== name) return undefined
  const inside = r.ancestors.slice(r.ancestors.lastIndexOf(scope.block) + 1)
  const isHidden = inside.some((node) => r.analysis.scope(node)?.variables.has(pair.setter))
  if (isHidden || !inside.some(isFunction)) return undefined
  return { before: '__dpor.paired(', after: `, ${pair.setter}, ${r.site(identifier.start, name)})` }
}
