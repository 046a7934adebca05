import type { Ast } from './ast.ts'
import { Machine } from './machine.ts'

/** A way to a state: who ran last, and who was left though it could go on and has not gone on since. */
interface Way {
  readonly machine: Machine
  readonly last: number
  readonly left: number
}

/**
 * By canonical form: the fewest preemptions of the executions that have it, over all of them; `undefined` for a program that takes more than
 * `cap` states. Who is left is only known to be preempted once it goes on.
 */
export function fewestByClass(ast: Ast, { cap }: { cap: number }): Map<string, number> | undefined {
  const found = new Map<string, number>()
  const seen = new Set<string>()
  let ways: Way[] = [{ machine: new Machine(ast), last: -1, left: 0 }]
  for (let preemptions = 0; ways.length > 0; preemptions++) {
    const more: Way[] = []
    for (let way = ways.pop(); way !== undefined; way = ways.pop()) {
      const { machine, last, left } = way
      const key = `${machine.form}#${last}#${left}`
      if (seen.has(key)) continue
      if (seen.size >= cap) return undefined
      seen.add(key)
      const enabled = machine.enabled()
      if (enabled.length === 0 && !found.has(machine.form)) found.set(machine.form, preemptions)
      for (const thread of enabled) {
        const isLeft = last !== -1 && last !== thread && machine.isEnabled(last)
        const next = machine.copy()
        next.step(thread)
        const bit = 1 << thread
        const then = { machine: next, last: thread, left: (isLeft ? left | (1 << last) : left) & ~bit }
        ;(left & bit ? more : ways).push(then)
      }
    }
    ways = more
  }
  return found
}
