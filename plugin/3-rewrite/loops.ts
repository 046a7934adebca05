import { isFunction, someChild, type Node } from '../1-parse/node.ts'
import type { Rewriting } from './rewriting.ts'

/**
 * `while (a) { await b }` -> `while (__dpor.again(site) && (a)) { await b }`, with the variables that an iteration leaves to the next:
 * a loop that awaits may be one that waits by asking again.
 */
export function WhileStatement(node: Node, r: Rewriting): void {
  const again = againAt(node, r)
  if (!again) return r.children(node)
  if (node.type === 'DoWhileStatement') r.visit(node.body)
  r.wrap(node.test, `${again} && (`, ')')
  if (node.type === 'WhileStatement') r.visit(node.body)
}

/** The same for `for (;;)`, whose test may be missing. A loop that counts leads to another state each time. */
export function forTest(node: Node, r: Rewriting): void {
  const again = againAt(node, r)
  if (!again) return r.visit(node.test)
  if (node.test) return r.wrap(node.test, `${again} && (`, ')')
  const from = node.init ? node.init.end : r.find('(', node.start, node.body.start)
  // A declaration ends before its semicolon or after it.
  const first = r.source[from - 1] === ';' ? from : r.find(';', from, node.body.start) + 1
  r.insert(first, again)
}

/** In each iteration of `for...of` and its like, which goes on to something else: no loop that waits, but others may stand inside. */
export function iterates(node: Node, r: Rewriting): string {
  return isTold(node, r) ? `__dpor.again(${r.site(node.start, headOf(node, r))}, {});` : ''
}

function isTold(node: Node, r: Rewriting): boolean {
  const owner = r.ancestors.findLast(isFunction)
  return owner?.async === true && !owner.generator && r.analysis.suspends(node) && !r.mayEvaluate
}

/** Whether a loop stands inside that awaits: it begins anew in each iteration. */
function containsLoops(node: Node, r: Rewriting): boolean {
  if (isFunction(node)) return false
  return (isLoop(node) && r.analysis.suspends(node)) || someChild(node, (child) => containsLoops(child, r))
}

const isLoop = ({ type }: Node): boolean => /^(?:For|While|DoWhile)/.test(type) && type.endsWith('Statement')

function headOf(node: Node, r: Rewriting): string {
  return node.type === 'DoWhileStatement' ? `while (${r.text(node.test)})` : r.source.slice(node.start, node.body.start).trimEnd()
}

function againAt(node: Node, r: Rewriting): string | undefined {
  if (!isTold(node, r) || (r.analysis.isCounted(node) && !containsLoops(node.body, r))) return undefined
  const carried = r.analysis.carried(node) ?? ['{}']
  return `__dpor.again(${[r.site(node.start, headOf(node, r)), ...carried].join(', ')})`
}
