import { isFunction, someChild, type Node } from '../1-parse/node.ts'
import { isVitest } from './globals.ts'
import { quote } from './names.ts'
import { boundNames, keyOf, shapeOf, taken } from './patterns.ts'
import type { Rewriting } from './rewriting.ts'

const withoutDefault = (parameter: Node): Node => {
  const inner = (parameter.type === 'TSParameterProperty' ? parameter.parameter : parameter) as Node
  return inner.type === 'AssignmentPattern' ? inner.left : inner
}

const isPattern = (node: Node): boolean => node.type === 'ObjectPattern' || node.type === 'ArrayPattern'

/** TypeScript's parameter for the type of `this`. */
const isThis = (parameter: Node): boolean => parameter.type === 'Identifier' && parameter.name === 'this'

export const withoutThis = (node: Node): Node[] => (node.params as Node[]).filter((parameter) => !isThis(parameter))

/** Only names: binding them runs no code. */
export const isPlain = (node: Node): boolean => (node.params as Node[]).every((parameter) => parameter.type === 'Identifier')

export const hasPatterns = (node: Node): boolean => (node.params as Node[]).some((parameter) => isPattern(withoutDefault(parameter)) || isRestPattern(parameter))

/** `...[a, { b }]` */
const isRestPattern = (parameter: Node): boolean => parameter.type === 'RestElement' && isPattern(parameter.argument)

/** Methods of Vitest's `test` and of test APIs built from it that take functions with fixtures. */
const testMethods = new Set([
  'only', 'skip', 'todo', 'fails', 'concurrent', 'sequential', 'shuffle', 'extend', 'override', 'scoped', 'each', 'for', 'describe',
  'beforeEach', 'afterEach', 'beforeAll', 'afterAll', 'aroundEach', 'aroundAll', 'test', 'it', 'bench',
])

/**
 * Vitest finds the fixtures that a test uses in the text of its parameters, so they must stay where
 * they are. This holds for functions given to a test API.
 */
export function fixturesStayVisible(node: Node, r: Rewriting): boolean {
  if (!(node.params as Node[]).some((parameter) => parameter.type === 'ObjectPattern')) return false
  const { parent } = r
  if (parent.type === 'CallExpression') return mayBeTestCall(parent, node) && !mayBeOther(parent, node, r)
  if (isGivenToExtend(r)) return true
  return node.type !== 'ArrowFunctionExpression' && isFixture(node)
}

function isGivenToExtend({ parent, ancestors }: Rewriting): boolean {
  if (parent.type !== 'Property' && parent.type !== 'ArrayExpression') return false
  const call = ancestors.findLast((ancestor) => ancestor.type === 'CallExpression')
  return !!call && call.callee.type === 'MemberExpression' && ['extend', 'override', 'scoped'].includes(call.callee.property.name)
}

/** `async ({ other }, use) => ...` or `({ other }, { onCleanup }) => ...`: it may be given to `extend` elsewhere. Arrow functions may call `use` as they like. */
function isFixture({ type, async, params }: Node): boolean {
  const [used, given, ...others] = params as Node[]
  if (used?.type !== 'ObjectPattern' || !given || others.length > 0) return false
  if (given.type === 'ObjectPattern') return (given.properties as Node[]).some((property) => property.type === 'Property' && property.key.name === 'onCleanup')
  return given.type === 'Identifier' && (given.name === 'use' || (async === true && type === 'ArrowFunctionExpression'))
}

const hook = /^(?:before|after|around)(?:Each|All)$/

/** `something('name', ({ fixture }) => ...)`, or a hook, which takes the function first. */
function mayBeTestCall(call: Node, given: Node): boolean {
  const callee = call.callee as Node
  const first = (call.arguments as Node[])[0]!
  const name = callee.type === 'Identifier' ? callee.name : callee.type === 'MemberExpression' && !callee.computed ? callee.property.name : ''
  if (first === given || isFunction(first)) return hook.test(name as string)
  return callee.type !== 'MemberExpression' || callee.computed || testMethods.has(name as string)
}

/** `something('name', ({ a }) => ...)`: a test API that is built from Vitest's, or any other function. Functions that have `arguments` can keep their parameters. */
const mayBeOther = (call: Node, given: Node, r: Rewriting): boolean => given.type === 'ArrowFunctionExpression' && !isVitest(call.callee, r)

/** The text that a function shows to a test API that it may be given to: its parameters as they were, wherever they are now. */
export function shownText(node: Node, r: Rewriting): string | undefined {
  const { parent } = r
  if (!(node.params as Node[]).some(({ type }) => type === 'ObjectPattern')) return undefined
  const mayBeGiven = parent.type === 'CallExpression' && mayBeTestCall(parent, node) && mayBeOther(parent, node, r)
  if (!mayBeGiven && (!isFixture(node) || fixturesStayVisible(node, r))) return undefined
  return quote(`(${(node.params as Node[]).map((parameter) => untyped(parameter, r)).join(', ')}) => {}`)
}

function untyped(parameter: Node, r: Rewriting): string {
  const { start, end, typeAnnotation } = withoutDefault(parameter)
  return r.text({ start, end: (typeAnnotation as Node | undefined)?.start ?? end })
}

/** What a parameter that is a pattern reads, as an object's properties: its elements have been taken already. */
export function readsOf(parameter: Node, r: Rewriting): string | undefined {
  const pattern = withoutDefault(parameter)
  if (pattern.type === 'ObjectPattern') return pattern.properties.length === 0 ? undefined : shapeOf(pattern, '', r)
  if (pattern.type !== 'ArrayPattern') return undefined
  const entries = (pattern.elements as (Node | null)[]).map((element, i) => {
    if (!element || element.type === 'RestElement') return 'null'
    const nested = shapeOf(withoutDefault(element), '', r)
    return `['${i}', ${r.site(element.start, r.text(element))}${nested ? `, ${nested}` : ''}]`
  })
  return `[${entries.join(', ')}]`
}

/** The same of the parameters that a rest parameter takes apart, one by one. */
export function readsOfRest(parameter: Node, r: Rewriting): (string | undefined)[] {
  if (parameter.type !== 'RestElement' || parameter.argument.type !== 'ArrayPattern') return []
  return (parameter.argument.elements as (Node | null)[]).map((element) => (element && element.type !== 'RestElement' ? shapeOf(withoutDefault(element), '', r) : undefined))
}

/** For each parameter what stands before and after the argument whose reads it makes. */
function takenArguments(parameters: readonly Node[], r: Rewriting): (readonly [before: string, after: string, ...unknown[]])[] {
  return parameters.map((parameter) => {
    const pattern = withoutDefault(parameter)
    return isPattern(pattern) ? taken(pattern, pattern.start, '', r) : ['', '']
  })
}

/** Whether the parameters of an arrow function can be declared in its body: they are names and patterns, and the body knows them by no other meaning. */
export function canTakeApart(node: Node, r: Rewriting): boolean {
  const names = (node.params as Node[]).flatMap(boundNames)
  const scope = r.analysis.scope(node)
  return (node.params as Node[]).every((parameter) => !parameter.optional && (parameter.type === 'Identifier' || isPattern(parameter)) && !containsFunction(parameter))
    && !(node.params as Node[]).some(isThis)
    && names.every(({ name }) => scope?.variables.get(name as string)?.definitions.length === 1)
}

function containsFunction(node: Node): boolean {
  return isFunction(node) || node.type === 'ClassExpression' || someChild(node, containsFunction)
}

/** The argument that a parameter takes apart. */
export function takenArgument(parameter: Node, name: string, r: Rewriting): string {
  const [before, after] = isPattern(parameter) ? taken(parameter, parameter.start, '', r) : ['', '']
  if (!before) return name
  const first = parameter.type === 'ObjectPattern' ? (parameter.properties as Node[])[0]! : undefined
  // The native error would show emitted code.
  const key = first && keyOf(first)
  return `(__dporOn ? ${before}${name}${after} : ${name})${key === undefined ? '' : ` ?? __dpor.taken(${name}, ${quote(key)})`}`
}

interface Outside {
  /** Parameters for the outer function, as many as count for its `length`. */
  outer: string
  /** The arguments it passes on. */
  inner: string
  /** Where the parameters begin, after the parenthesis. */
  first: number
  /** The end of the parenthesis after the parameters. */
  afterLast: number
}

/** Moves the parameters of a function to one inside it. */
export function parametersOutside(node: Node, r: Rewriting): Outside {
  const parameters = withoutThis(node)
  const open = r.find('(', node.typeParameters?.end ?? node.id?.end ?? node.start, node.body.start)
  const outer: string[] = []
  const inner: string[] = []
  const reads = takenArguments(parameters, r)
  let counts = true
  for (const [i, parameter] of parameters.entries()) {
    const name = r.names.fresh()
    if (parameter.type === 'RestElement') {
      outer.push(`...${name}`)
      const shape = isRestPattern(parameter) ? shapeOf(parameter.argument, '', r) : undefined
      inner.push(shape ? `...__dpor.pattern(__dpor.made(${name}, ${r.site(parameter.start, r.text(parameter))}), ${shape})` : `...${name}`)
      continue
    }
    counts &&= parameter.type !== 'AssignmentPattern'
    outer.push(counts ? name : `${name} = void 0`)
    const [before, after] = reads[i]!
    inner.push(before ? `(__dporOn ? ${before}${name}${after} : ${name})` : name)
  }
  // An arrow function has no parameter for the type of `this`.
  const self = (node.params as Node[])[0]!
  if (isThis(self)) r.replace(self.start, parameters[0]?.start ?? self.end, '')
  return { outer: outer.join(', '), inner: inner.join(', '), first: open + 1, afterLast: r.find(')', (node.params as Node[]).at(-1)!.end, node.body.end) + 1 }
}
