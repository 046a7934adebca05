import type { Action, Address, Ast, Part } from './ast.ts'
import { Machine } from './machine.ts'

/**
 * The canonical forms of all maximal executions, by trying every enabled thread at every state; `undefined` if that
 * takes more than `cap` states. With `merge`, a prefix equivalent to one already tried is not tried again, as it leads to
 * the same state; and where a step accesses only what is its thread's own, no other is tried, as it depends on none.
 */
export function enumerateClasses(ast: Ast, options: { cap: number; merge: boolean }): Set<string> | undefined {
  const owners = ownersIn(ast)
  const classes = new Set<string>()
  const seen = new Set<string>()
  const stack = [new Machine(ast)]
  let states = 0
  for (let machine = stack.pop(); machine !== undefined; machine = stack.pop()) {
    if (++states > options.cap) return undefined
    let enabled = machine.enabled()
    if (enabled.length === 0) classes.add(machine.form)
    const free = options.merge ? enabled.find((thread) => !machine.awaits(thread) && isOwn(machine.next(thread), thread, owners)) : undefined
    if (free !== undefined) enabled = [free]
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

/** By variable: the one thread that accesses it, or undefined. Without computed addresses. */
function ownersIn({ threads }: Ast): (number | undefined)[] {
  const users: Set<number>[] = []
  for (const [thread, { steps }] of threads.entries()) {
    for (const variable of steps.flatMap(({ action }) => variablesOf(action))) {
      if (variable === 'r') return []
      ;(users[variable] ??= new Set()).add(thread)
    }
  }
  return users.map((threadsOf) => (threadsOf.size === 1 ? [...threadsOf][0] : undefined))
}

function isOwn(action: Action | undefined, thread: number, owners: readonly (number | undefined)[]): boolean {
  if (action === undefined || action.type === 'until' || (action.type === 'atomic' && action.after !== undefined)) return false
  const variables = variablesOf(action)
  return variables.length > 0 && variables.every((variable) => variable !== 'r' && owners[variable] === thread)
}

function variablesOf(action: Action): Address[] {
  if (action.type === 'look') return [...action.variables]
  // Looks at what was looked at before, whatever that was.
  if (action.type === 'again') return ['r']
  if (action.type === 'atomic') return action.body.flatMap(variablesOfPart)
  return 'variable' in action ? [action.variable] : []
}

function variablesOfPart(part: Part): Address[] {
  if (part.type === 'if') return part.body.flatMap(variablesOfPart)
  return part.type === 'set-signal' ? ['r'] : [part.variable]
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
