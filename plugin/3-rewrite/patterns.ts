import { isAnonymousDefinition, type Node, unwrap } from '../1-parse/node.ts'
import { isHoisted } from './globals.ts'
import { access, isPrivate, memberSite } from './members.ts'
import { nativeChain } from './native-chains.ts'
import { naming, quote } from './names.ts'
import { operand } from './operands.ts'
import { isPrivateField, privatePlace } from './privates.ts'
import { isRepeatable } from './repeatable.ts'
import type { Rewriting } from './rewriting.ts'
import { pairName } from './setter-pairs.ts'
import { flag, namesOr, type Around } from './twins.ts'
import { isSuper, superTarget } from './supers.ts'
import { variablePlace } from './variables.ts'

const withoutDefault = (node: Node): Node => (node.type === 'AssignmentPattern' ? withoutDefault(node.left) : node)

/** The key of a property, where it is known. */
export function keyOf(property: Node): string | undefined {
  if (property.type !== 'Property' || property.computed) return undefined
  return property.key.type === 'Identifier' ? (property.key.name as string) : String(property.key.value)
}

/**
 * What a pattern reads, as source text: see `PatternShape` and `Elements`. `value` is the text of
 * the value it takes apart, '' where that has none.
 */
export function shapeOf(pattern: Node, value: string, r: Rewriting): string | undefined {
  if (pattern.type === 'ArrayPattern') return elementsOf(pattern, value, r)
  if (pattern.type !== 'ObjectPattern') return undefined
  const entries = (pattern.properties as Node[]).map((property) => {
    const key = keyOf(property)
    if (key === undefined) return 'null'
    const text = value ? `${value}.${key}` : key
    const nested = shapeOf(withoutDefault(property.value), text, r)
    return `[${quote(key)}, ${r.site(property.start, text)}${nested ? `, ${nested}` : ''}]`
  })
  return `[${entries.join(', ')}]`
}

function elementsOf(pattern: Node, value: string, r: Rewriting): string {
  const items = nestedItems(pattern, r)
  return `{ site: ${r.site(pattern.start, value || r.text(pattern))}${items ? `, ${items}` : ''} }`
}

function nestedItems(pattern: Node, r: Rewriting): string | undefined {
  const items = (pattern.elements as (Node | null)[]).map((element) => element && element.type !== 'RestElement' ? shapeOf(withoutDefault(element), '', r) : undefined)
  return items.some((item) => item) ? `items: [${items.map((item) => item ?? 'null').join(', ')}]` : undefined
}

/** What stands before and after a value that `pattern` takes apart. */
export function taken(pattern: Node, position: number, text: string, r: Rewriting): [before: string, after: string, plain?: Around | undefined] {
  if (pattern.type === 'ObjectPattern')
    return pattern.properties.length === 0 ? ['', ''] : patternAround(pattern, text, r)
  if (pattern.type !== 'ArrayPattern') return ['', '']
  const site = r.site(position, text || r.text(pattern), pairName(pattern, r))
  const items = nestedItems(pattern, r)
  return ['__dpor.iterate(', items ? `, ${site}, { site: ${site}, ${items} })` : `, ${site})`, ['__dpor.iterable(', `, ${site})`]]
}

function patternAround(pattern: Node, text: string, r: Rewriting): [before: string, after: string, plain: Around | undefined] {
  const shape = shapeOf(pattern, text, r)!
  const plain = text ? plainAround(shape, { pattern, text }, r) : undefined
  // What has no first key says nothing of the value.
  const [before, after] = plain && shape.startsWith('[null') ? plain : ['', '']
  return [`__dpor.pattern(${before}`, `${after}, ${shape})`, plain]
}

/** The first key, or where it has none the value, is what the error tells of if there is nothing to take apart. */
function plainAround(shape: string, { pattern, text }: { readonly pattern: Node; readonly text: string }, r: Rewriting): Around | undefined {
  const first = /^\[\[((?:'[^']*'|"(?:[^"\\]|\\.)*"), [^,\]]+)/.exec(shape)?.[1] ?? (shape.startsWith('[null') ? `null, ${r.site(pattern.start, text)}` : undefined)
  if (first === undefined) return undefined
  if (!r.canKeep) return ['__dpor.taken(', `, ${first})`]
  const name = r.temporary()
  return [`(${name} = `, `) ?? __dpor.taken(${name}, ${first})`]
}

/** How V8 names a value in its messages. */
function valueText(value: Node, r: Rewriting): string {
  const inner = unwrap(value)
  if (inner.type === 'Identifier' || inner.type === 'MemberExpression' || inner.type === 'ThisExpression') return r.text(inner)
  if (inner.type === 'Literal' && inner.bigint === undefined && inner.regex === undefined) return r.text(inner)
  if ((inner.type === 'CallExpression' || inner.type === 'NewExpression') && isPath(inner.callee)) return `${inner.type === 'NewExpression' ? 'new ' : ''}${r.text(inner.callee)}(...)`
  return isEmpty(inner) && inner.type === 'ObjectExpression' ? '{}' : '(intermediate value)'
}

/** `a.b.c` */
const isPath = (node: Node): boolean => node.type === 'Identifier' || node.type === 'ThisExpression' || (node.type === 'MemberExpression' && !node.computed && !node.optional && isPath(node.object))

/** Visits the value that an object or array pattern takes apart. */
export function destructured(pattern: Node, value: Node, r: Rewriting, { used = false } = {}): void {
  if (isHoisted(value, r)) return r.visit(value)
  const text = valueText(value, r)
  // The value of `[a] = b` is b itself, not what iterates over it.
  const [before, after, plain] = used && pattern.type === 'ArrayPattern' ? ['__dpor.pattern(', `, ${shapeOf(pattern, text, r)})`, undefined] : taken(pattern, value.start, text, r)
  r.wrap(value, before, after, plain)
}

/** The names, defaults and computed keys of a pattern that declares. */
export function declarationPattern(pattern: Node | null, r: Rewriting): void {
  if (!pattern) return
  switch (pattern.type) {
    case 'ObjectPattern':
      for (const property of pattern.properties as Node[]) {
        if (property.type === 'Property' && property.computed) operand(property.key, r)
        declarationPattern(property.type === 'RestElement' ? property.argument : property.value, r)
      }
      return
    case 'ArrayPattern':
      for (const element of pattern.elements as (Node | null)[]) declarationPattern(element, r)
      return
    case 'AssignmentPattern':
      declarationPattern(pattern.left, r)
      return defaultOf(pattern, r)
    case 'RestElement': return declarationPattern(pattern.argument, r)
    case 'TSParameterProperty': return declarationPattern(pattern.parameter, r)
    default:
  }
}

/** What a pattern takes apart where there is no other value. */
function defaultOf(pattern: Node, r: Rewriting): void {
  const right = pattern.right as Node
  const [before, after] = isEmpty(right) ? ['', ''] : taken(pattern.left, right.start, valueText(right, r), r)
  r.insert(right.start, before)
  r.visitIn(pattern, right)
  r.insert(right.end, after)
}

/** `{}` and `[]`, the usual defaults: there is nothing to take. */
const isEmpty = (node: Node): boolean => (node.type === 'ObjectExpression' && node.properties.length === 0) || (node.type === 'ArrayExpression' && node.elements.length === 0)

interface BoundName {
  readonly name: Node
  /** Bound to a new object or array: what the pattern leaves over. */
  readonly isRest: boolean
}

function bound(pattern: Node | null): BoundName[] {
  switch (pattern?.type) {
    case 'Identifier': return [{ name: pattern, isRest: false }]
    case 'ObjectPattern': return (pattern.properties as Node[]).flatMap((property) => bound(property.type === 'RestElement' ? property : property.value))
    case 'ArrayPattern': return (pattern.elements as (Node | null)[]).flatMap(bound)
    case 'AssignmentPattern': return bound(pattern.left)
    case 'RestElement': return pattern.argument.type === 'Identifier' ? [{ name: pattern.argument, isRest: true }] : bound(pattern.argument)
    case 'TSParameterProperty': return bound(pattern.parameter)
    default: return []
  }
}

/** The names that a pattern binds. */
export const boundNames = (pattern: Node | null): Node[] => bound(pattern).map(({ name }) => name)

/** The names that a pattern binds to new objects: its rest elements. */
export const restNames = (pattern: Node | null): Node[] => bound(pattern).flatMap(({ name, isRest }) => (isRest ? [name] : []))

/** As an expression. */
export function madeRest(name: Node, r: Rewriting): string {
  const number = r.places.all.length
  const condition = r.once.localLiterals.hasRest(name, r) ? flag : `(${namesOr(number, r)})`
  return `${condition} && __dpor.made(${name.name}, ${r.site(name.start, name.name)})`
}

/** The targets of a pattern that assigns. */
export function assignmentPattern(pattern: Node | null, r: Rewriting): void {
  if (!pattern) return
  switch (pattern.type) {
    case 'ObjectPattern':
      for (const property of pattern.properties as Node[]) {
        if (property.type === 'RestElement') assignmentPattern(property.argument, r)
        else {
          if (property.computed) operand(property.key, r)
          if (property.shorthand) shorthandTarget(property, r)
          else assignmentPattern(property.value, r)
        }
      }
      return
    case 'ArrayPattern':
      for (const element of pattern.elements as (Node | null)[]) assignmentPattern(element, r)
      return
    case 'AssignmentPattern':
      assignmentPattern(pattern.left, r)
      return assignedDefault(pattern, r)
    case 'RestElement': return assignmentPattern(pattern.argument, r)
    default: return target(pattern, r)
  }
}

function shorthandTarget(property: Node, r: Rewriting): void {
  const name = withoutDefault(property.value)
  const binding = r.recorded(name)
  if (binding) r.replace(name.start, name.end, `${binding.name}: ${variablePlace(binding, name, r)}`)
  if (property.value.type === 'AssignmentPattern') assignedDefault(property.value, r)
}

/** A function takes its name from the variable, which the place that stands for it does not give it. */
function assignedDefault(pattern: Node, r: Rewriting): void {
  const { left, right } = pattern as { left: Node; right: Node } & Node
  if (left.type === 'ObjectPattern' || left.type === 'ArrayPattern') return defaultOf(pattern, r)
  const isNamed = left.type === 'Identifier' && r.recorded(left) && isAnonymousDefinition(right)
  const [before, after] = isNamed ? naming(left.name as string) : ['', '']
  r.insert(right.start, before)
  r.visitIn(pattern, right)
  r.insert(right.end, after)
}

/** `o.p` -> `__dpor.reference(o, 'p', site).value`, and the same for variables and private fields. */
export function target(node: Node, r: Rewriting): void {
  const inner = unwrap(node)
  if (inner.type === 'Identifier') {
    const binding = r.recorded(inner)
    if (binding) r.replace(node.start, node.end, variablePlace(binding, inner, r))
  } else if (inner.type !== 'MemberExpression') assignmentPattern(inner, r)
  else if (isSuper(inner)) superTarget(node, r)
  else if (!isPrivate(inner)) access(inner, r, { outer: node, open: '__dpor.reference(', close: `, ${memberSite(inner, r)}).value` })
  else if (isPrivateField(inner, r) && isRepeatable(inner.object, r)) {
    const { field, place, set } = privatePlace(r.text(inner.object), inner, r)
    r.replace(node.start, node.end, `__dpor.privateReference(${place}, () => ${field}, ${set}).value`)
  } else nativeChain(inner.object, r)
}
