import { type Node, unwrap } from '../1-parse/node.ts'

/** What may be one of the platform's: many hold it in a variable of that name, and the others are no globals. */
const names = new Set(['Function', 'AsyncFunction', 'GeneratorFunction', 'AsyncGeneratorFunction'])

/**
 * Whether this is called, or constructed, to make a function of a text. The runtime gets to see that outside explorations as well, so that the
 * text is instrumented: `new Function('a', 'return a.b')`, `Function.apply(null, texts)`.
 */
export function makesFunctions(called: Node): boolean {
  const callee = unwrap(called)
  if (callee.type !== 'MemberExpression') return isMaker(callee)
  return !callee.computed && (callee.property.name === 'apply' || callee.property.name === 'call') && isMaker(unwrap(callee.object))
}

const isMaker = (node: Node): boolean => node.type === 'Identifier' && names.has(node.name as string)
