import type { Node } from '../1-parse/node.ts'
import { taken } from './patterns.ts'
import type { Rewriting } from './rewriting.ts'

const withoutDefault = (parameter: Node): Node => {
  const inner = (parameter.type === 'TSParameterProperty' ? parameter.parameter : parameter) as Node
  return inner.type === 'AssignmentPattern' ? inner.left : inner
}

const isPattern = (node: Node): boolean => node.type === 'ObjectPattern' || node.type === 'ArrayPattern'

/** Only names: binding them runs no code. */
export const isPlain = (node: Node): boolean => (node.params as Node[]).every((parameter) => parameter.type === 'Identifier')

export const hasPatterns = (node: Node): boolean => (node.params as Node[]).some((parameter) => isPattern(withoutDefault(parameter)))

/** Methods of Vitest's `test` and of test APIs built from it that take functions with fixtures. */
const testMethods = new Set([
  'only', 'skip', 'todo', 'fails', 'concurrent', 'sequential', 'shuffle', 'extend', 'override', 'scoped', 'each', 'for', 'describe',
  'beforeEach', 'afterEach', 'beforeAll', 'afterAll', 'aroundEach', 'aroundAll', 'test', 'it', 'bench',
])

/**
 * Vitest finds the fixtures that a test uses in the text of its parameters, so they must stay where
 * they are. This holds for functions given to something that may be a test API.
 */
export function fixturesStayVisible(node: Node, r: Rewriting): boolean {
  if (!(node.params as Node[]).some((parameter) => parameter.type === 'ObjectPattern')) return false
  const { parent } = r
  if (parent.type === 'CallExpression') return mayBeTestCall(parent)
  if (parent.type !== 'Property' && parent.type !== 'ArrayExpression') return false
  const call = r.ancestors.findLast((ancestor) => ancestor.type === 'CallExpression')
  return !!call && call.callee.type === 'MemberExpression' && ['extend', 'override', 'scoped'].includes(call.callee.property.name)
}

function mayBeTestCall(call: Node): boolean {
  const callee = call.callee as Node
  return callee.type !== 'MemberExpression' || callee.computed || testMethods.has(callee.property.name)
}

/** For each parameter what stands before and after the argument whose reads it makes. */
export function takenArguments(node: Node, r: Rewriting): [before: string, after: string][] {
  return (node.params as Node[]).map((parameter) => {
    const pattern = withoutDefault(parameter)
    return isPattern(pattern) ? taken(pattern, pattern.start, '', r) : ['', '']
  })
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
  const parameters = node.params as Node[]
  const open = r.find('(', node.typeParameters?.end ?? node.id?.end ?? node.start, node.body.start)
  const outer: string[] = []
  const inner: string[] = []
  const reads = takenArguments(node, r)
  let counts = true
  for (const [i, parameter] of parameters.entries()) {
    const name = r.names.fresh()
    if (parameter.type === 'RestElement') {
      outer.push(`...${name}`)
      inner.push(`...${name}`)
      continue
    }
    counts &&= parameter.type !== 'AssignmentPattern'
    outer.push(counts ? name : `${name} = void 0`)
    const [before, after] = reads[i]!
    inner.push(`${before}${name}${after}`)
  }
  const last = parameters.at(-1)!
  return { outer: outer.join(', '), inner: inner.join(', '), first: open + 1, afterLast: r.find(')', last.end, node.body.end) + 1 }
}
