import type { Ast, AstThread, Step } from './ast.ts'
import { chains, guards, identical, longThreads, manyThreads, operations, spinning, waitingLoops } from './further-kinds.ts'
import type { Random } from './random.ts'
import { randomStep, type Shape } from './random-steps.ts'

const menus = {
  single: ['read', 'read', 'write', 'write', 'add'],
  swap: ['read', 'write', 'swap', 'swap', 'add'],
  locks: ['read', 'write', 'lock', 'lock', 'unlock', 'unlock', 'add'],
  blocking: ['read', 'write', 'write', 'swap', 'lock', 'unlock', 'until', 'until', 'raise', 'await', 'join', 'add', 'delay'],
  atomic: ['atomic'],
  waits: ['read', 'write', 'write', 'until', 'until', 'raise', 'await', 'join', 'add', 'atomic'],
  delays: ['read', 'write', 'atomic', 'delay', 'delay', 'raise', 'await', 'until'],
  sums: ['read', 'write', 'combine', 'combine', 'atomic'],
  mixed: ['read', 'write', 'swap', 'atomic', 'atomic', 'lock', 'unlock', 'until', 'raise', 'await', 'join', 'add', 'delay'],
} as const satisfies Record<string, Shape['menu']>

const further = {
  operations: (random: Random) => operations(random, { atomic: false }),
  compound: (random: Random) => operations(random, { atomic: true }),
  addresses: (random: Random) => chains(random, { atomic: false }),
  chains: (random: Random) => chains(random, { atomic: true }),
  guards,
  identical,
  loop: (random: Random) => waitingLoops(random, { atomic: false }),
  loops: (random: Random) => waitingLoops(random, { atomic: true }),
  spin: (random: Random) => spinning(random, { several: false }),
  spins: (random: Random) => spinning(random, { several: true }),
  many: manyThreads,
  long: longThreads,
}

/**
 * - `single`: reads, writes and atomic additions.
 * - `swap`: the same with compare-and-swap.
 * - `locks`: single accesses and locks.
 * - `blocking`: single accesses of every sort, with everything that can block.
 * - `atomic`: steps with several accesses, some conditional on what the step read.
 * - `waits`: single accesses, blocking reads, signals, spawns and joins.
 * - `delays`: steps with one or several accesses, signals and virtual time.
 * - `sums`: steps with one or several accesses, among them changes that commute.
 * - `mixed`: everything but those.
 * - `operations`: mixed operations on one variable or two, of one access each.
 * - `compound`: the same, and atomic steps.
 * - `addresses`: chains of computed addresses, one access a step.
 * - `chains`: the same within atomic steps too.
 * - `guards`: conditions in conditions, between steps and within them.
 * - `identical`: all threads have the same steps.
 * - `loop`: threads that look at a variable again once it has changed, one access a step.
 * - `loops`: the same with several variables, atomic steps, and waits.
 * - `spin`: threads that go round asking for the value of one variable, some until they give up, some writing meanwhile.
 * - `spins`: the same with several variables.
 * - `many`: 6 to 10 threads of a step or two.
 * - `long`: 100 steps a thread, with few conflicts.
 */
export type Kind = keyof typeof menus | keyof typeof further

export const kinds = [...Object.keys(menus), ...Object.keys(further)] as Kind[]

/** Those of which all programs, or many, have steps of one access each. */
export const singleAccessKinds: readonly Kind[] = ['single', 'swap', 'locks', 'blocking', 'operations', 'addresses', 'guards', 'identical', 'loop', 'spin', 'many', 'long']

/** Of which one program takes as long as several of the others. */
export const slowKinds: ReadonlySet<Kind> = new Set(['long', 'spin', 'spins'])

export function generate(kind: Kind, random: Random): Ast {
  return kind in further ? further[kind as keyof typeof further](random) : small(kind as keyof typeof menus, random)
}

/** Two to four threads of a few steps. */
function small(kind: keyof typeof menus, random: Random): Ast {
  const shape: Shape = {
    menu: menus[kind],
    variables: random.between(1, 3),
    locks: kind === 'locks' || kind === 'blocking' || kind === 'mixed' ? random.between(1, 2) : 0,
    signals: kind === 'waits' || kind === 'blocking' || kind === 'delays' || kind === 'mixed' ? random.between(1, 2) : 0,
    threads: random.pick([2, 3, 3, 3, 4]),
    merges: kind === 'sums' ? 25 : 0,
  }
  const most = shape.threads === 4 ? 2 : shape.threads === 3 ? 3 : 4
  const spawning = (kind === 'waits' || kind === 'blocking' || kind === 'mixed') && shape.threads > 2 && random.chance(60)
  const last = shape.threads - 1
  const threads: AstThread[] = []
  for (let i = 0; i < shape.threads; i++) {
    const place = { thread: i, child: spawning ? last : -1 }
    const steps = Array.from({ length: random.between(1, most) }, () => randomStep(shape, random, place))
    threads.push({ spawned: spawning && i === last, steps })
  }
  if (spawning) addSpawn(threads, last, random)
  return { variables: shape.variables, locks: shape.locks, signals: shape.signals, threads }
}

/** Some other thread spawns the last one and may join it. */
function addSpawn(threads: AstThread[], child: number, random: Random): void {
  const parent = random.below(child)
  const { steps } = threads[parent]!
  const at = random.between(0, steps.length)
  const more: Step[] = [...steps.slice(0, at), { action: { type: 'spawn', thread: child } }, ...steps.slice(at)]
  if (random.chance(50)) more.splice(random.between(at + 1, more.length), 0, { action: { type: 'join', thread: child } })
  threads[parent] = { spawned: false, steps: more }
}
