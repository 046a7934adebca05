import type { Node } from '../1-parse/node.ts'
import type { Rewriting } from './rewriting.ts'

/** `await using x = e` -> `const x = e; await using $1 = __dpor.disposedAsync(x, site)`; in the head of a loop over values the block begins with that. */
export function awaitUsing(node: Node, r: Rewriting): void {
  const declarators = node.declarations as Node[]
  if (r.parent.type === 'ForStatement') {
    r.leave(node, '`await using` in the head of a `for`')
    return r.children(node)
  }
  r.replace(node.start, declarators[0]!.start, 'const ')
  for (const [i, declarator] of declarators.entries()) {
    r.visit(declarator)
    const next = declarators[i + 1]
    if (next) r.replace(declarator.end, next.start, `; ${disposedAtEnd(declarator, r)}; const `)
    else r.insert(declarator.end, `; ${disposedAtEnd(declarator, r)}`)
  }
}

/** What stands for a value of `await using`, behind its declaration. */
export function disposedAtEnd(declarator: Node, r: Rewriting): string {
  const { name } = declarator.id as Node
  return `await using ${r.names.fresh()} = __dporOn ? __dpor.disposedAsync(${name}, ${r.site(declarator.start, `await using ${r.text(declarator)}`)}) : ${name}`
}
