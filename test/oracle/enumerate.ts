import type { Ast } from './ast.ts'
import { Machine } from './machine.ts'

/**
 * The canonical forms of all maximal executions, by trying every enabled thread at every state; `undefined` if that
 * takes more than `cap` states. With `merge`, a prefix equivalent to one already tried is not tried again: it leads to
 * the same state.
 */
export function enumerateClasses(ast: Ast, options: { cap: number; merge: boolean }): Set<string> | undefined {
  const classes = new Set<string>()
  const seen = new Set<string>()
  const stack = [new Machine(ast)]
  let states = 0
  for (let machine = stack.pop(); machine !== undefined; machine = stack.pop()) {
    if (++states > options.cap) return undefined
    const enabled = machine.enabled()
    if (enabled.length === 0) classes.add(machine.form)
    for (let i = 0; i < enabled.length; i++) {
      const next = i === enabled.length - 1 ? machine : machine.copy()
      next.step(enabled[i]!)
      if (options.merge) {
        const { form } = next
        if (seen.has(form)) continue
        seen.add(form)
      }
      stack.push(next)
    }
  }
  return classes
}

/** The canonical form of the execution with this schedule. Refuses one that is not a whole execution. */
export function formOf(ast: Ast, schedule: readonly number[]): string {
  const machine = new Machine(ast)
  for (const ordinal of schedule) {
    const thread = machine.started[ordinal]
    if (thread === undefined || !machine.isEnabled(thread)) throw new Error(`thread number ${ordinal} cannot run`)
    machine.step(thread)
  }
  if (machine.enabled().length > 0) throw new Error('the schedule ends before the program does')
  return machine.form
}
