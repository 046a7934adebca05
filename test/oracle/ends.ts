import type { Ast } from './ast.ts'
import { Machine } from './machine.ts'

/** How a program can end. */
export interface Ends {
  /** Its states once all threads have ended. */
  readonly states: Set<string>
  /** It may come to where some thread never ends. */
  stuck: boolean
}

/**
 * By a search of states in which no thread waits in a loop, but goes round as often as it likes: so it knows nothing of when a loop waits.
 * `undefined` if there are more than `cap` states.
 */
export function allEnds(ast: Ast, { cap }: { readonly cap: number }): Ends | undefined {
  const first = new Machine(ast, { spins: true })
  const before = new Map<string, string[]>([[first.state, []]])
  const states = new Set<string>()
  const stack = [first]
  for (let machine = stack.pop(); machine !== undefined; machine = stack.pop()) {
    if (hasEnded(machine)) states.add(machine.state)
    for (const thread of machine.enabled()) {
      const next = machine.copy()
      next.step(thread)
      const ways = before.get(next.state)
      if (ways === undefined) {
        if (before.size === cap) return undefined
        stack.push(next)
      }
      before.set(next.state, [...(ways ?? []), machine.state])
    }
  }
  return { states, stuck: leadingTo(states, before).size < before.size }
}

/** Those of the executions with these schedules. */
export function endsOf(ast: Ast, schedules: readonly (readonly number[])[]): Ends {
  const ends: Ends = { states: new Set(), stuck: false }
  for (const schedule of schedules) {
    const machine = new Machine(ast)
    for (const ordinal of schedule) machine.step(machine.started[ordinal]!)
    if (hasEnded(machine)) ends.states.add(machine.state)
    else ends.stuck = true
  }
  return ends
}

function hasEnded(machine: Machine): boolean {
  return machine.started.every((thread) => machine.next(thread) === undefined)
}

function leadingTo(states: ReadonlySet<string>, before: ReadonlyMap<string, readonly string[]>): Set<string> {
  const found = new Set(states)
  const stack = [...states]
  for (let state = stack.pop(); state !== undefined; state = stack.pop()) {
    for (const way of before.get(state)!) {
      if (found.has(way)) continue
      found.add(way)
      stack.push(way)
    }
  }
  return found
}
