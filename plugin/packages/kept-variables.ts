import { type Node, unwrap } from '../1-parse/node.ts'
import { parse } from '../1-parse/parse.ts'
import { resolve } from '../2-analyse/resolve.ts'
import type { Variable } from '../2-analyse/scopes.ts'
import { globalName } from '../../src/runtime/calls/emitted.ts'

/**
 * The source of a package that stays as it is, with what tells of the variables that it has for as long as the process runs: those at its top, and
 * at the top of functions that are called there and then. They are put back after each execution. Undefined if it has none.
 *
 * `let next = 1; ...` -> `let next = 1; ...;__dpor.keeps(() => [next], ($dpor0) => { next = $dpor0 });`. So are lists: `const tasks = []; ...` ->
 * `const tasks = []; ...;__dpor.keeps(() => [], () => {  }, () => [tasks]);`
 */
export function keepVariables(source: string, file: string): string | undefined {
  const parsed = parse(source, file)
  if (!parsed) return undefined
  const scopes = resolve(parsed.program)
  const tops: (Node | undefined)[] = [parsed.program, ...(parsed.program.body as Node[]).map(calledAtOnce)]
  let kept = source
  // From the last to the first: what stands before stays where it is.
  for (const top of tops.flatMap((node) => node ?? []).toSorted((a, b) => endOf(b) - endOf(a))) {
    const variables = [...scopes.of.get(top)!.variables.values()]
    const names = variables.filter(isReassigned).map(({ name }) => name)
    const holders = variables.filter(mayHoldLists).map(({ name }) => name)
    if (names.length === 0 && holders.length === 0) continue
    const values = names.map((_, i) => `$dpor${i}`)
    const text = `${top.type === 'Program' ? '\n' : ''};${globalName}.keeps(() => [${names.join(', ')}], (${values.join(', ')}) => { ${names.map((name, i) => `${name} = ${values[i]}`).join('; ')} }${holders.length > 0 ? `, () => [${holders.join(', ')}]` : ''});`
    kept = kept.slice(0, endOf(top)) + text + kept.slice(endOf(top))
  }
  return kept === source ? undefined : kept
}

/** Where the last statement ends. */
const endOf = (node: Node): number => (node.type === 'Program' ? node.end : node.body.end - 1)

/** `(function () { ... })()`, also after `condition &&`. */
function calledAtOnce(statement: Node): Node | undefined {
  if (statement.type !== 'ExpressionStatement') return undefined
  let expression = unwrap(statement.expression as Node)
  while (expression.type === 'LogicalExpression') expression = unwrap(expression.right as Node)
  if (expression.type !== 'CallExpression') return undefined
  const callee = unwrap(expression.callee as Node)
  const isFunction = callee.type === 'FunctionExpression' || callee.type === 'ArrowFunctionExpression'
  return isFunction && callee.body?.type === 'BlockStatement' && !callee.async && !callee.generator ? callee : undefined
}

function isReassigned({ name, definitions, references }: Variable): boolean {
  return name !== 'arguments' && definitions.every(({ type }) => type === 'Variable' || type === 'FunctionName') && references.some(({ writes, isInit }) => writes && !isInit)
}

/** What is a list as long as it is there, or has come from another file: the state that packages share may have lists. */
function mayHoldLists({ definitions: [definition, ...others], references }: Variable): boolean {
  if (definition?.type !== 'Variable' || others.length > 0 || references.some(({ writes, isInit }) => writes && !isInit)) return false
  const { init, id } = definition.node
  return id.type === 'Identifier' && (init?.type === 'ArrayExpression' || init?.type === 'MemberExpression')
}
