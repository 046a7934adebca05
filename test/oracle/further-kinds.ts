import type { Action, Ast, Step } from './ast.ts'
import type { Random } from './random.ts'
import { randomAction, randomStep, type Shape } from './random-steps.ts'

const nobody = { thread: -1, child: -1 }

/** Every operation there is on one variable or two: reads, writes, updates, commuting changes, compare-and-swap, waiting for a value. */
export function operations(random: Random, { atomic }: { atomic: boolean }): Ast {
  const shape: Shape = {
    menu: ['read', 'write', 'swap', 'swap', 'combine', 'combine', 'add', 'until', ...(atomic ? (['atomic', 'atomic'] as const) : [])],
    variables: random.pick([1, 1, 2]),
    locks: 0,
    signals: 0,
    threads: random.pick([2, 3, 3, 4]),
    merges: 30,
    waited: random.pick([-1, -1, 0]),
  }
  return programOf(shape, random, { most: 8, step: () => randomStep(shape, random, nobody) })
}

/** Addresses that were read, from variables whose first values lead from one to the next. */
export function chains(random: Random, { atomic }: { atomic: boolean }): Ast {
  const isWide = atomic && random.chance(40)
  const shape: Shape = {
    menu: isWide ? ['read'] : ['read', 'read', 'write', 'add', 'swap', ...(atomic ? (['atomic', 'atomic', 'atomic'] as const) : [])],
    variables: isWide ? random.between(4, 6) : random.between(2, 4),
    locks: 0,
    signals: 0,
    threads: isWide ? random.between(4, 5) : random.pick([2, 3, 3, 4]),
    computed: isWide ? 20 : 60,
  }
  const initial = Array.from({ length: shape.variables }, () => random.below(shape.variables))
  const share = isWide ? 70 : atomic ? random.pick([0, 40, 100]) : 0
  const step = (): Step => (random.chance(share) ? chainStep(shape, random) : randomStep(shape, random, nobody))
  return { ...programOf(shape, random, { most: isWide ? shape.threads : 8, step }), initial }
}

/** A whole chain in one step: `x[x[x[i]]] = v`, or only the reads of it. */
function chainStep({ variables }: Shape, random: Random): Step {
  const hops = Array.from({ length: random.between(0, 2) }, () => ({ type: 'get', variable: 'r' }) as const)
  const last = random.chance(80) ? [{ type: 'set', variable: 'r', value: random.below(variables) } as const] : []
  return { action: { type: 'atomic', body: [{ type: 'get', variable: random.below(variables) }, ...hops, ...last] } }
}

/** Reads, each of which decides whether some of the next steps are taken; and conditions three deep in one step. */
export function guards(random: Random): Ast {
  const shape: Shape = { menu: ['read', 'write', 'write', 'atomic', 'swap'], variables: random.between(2, 4), locks: 0, signals: 0, threads: random.pick([2, 3, 3]), depth: 3 }
  const step = (): Step => {
    if (!random.chance(60)) return { action: randomAction(shape, random, nobody) }
    return { when: random.below(2), skips: random.between(1, 4), action: randomAction(shape, random, nobody) }
  }
  return programOf(shape, random, { most: 10, step })
}

/** Threads that look again only once something has changed, as a loop does that waits by asking. */
export function waitingLoops(random: Random, { atomic }: { atomic: boolean }): Ast {
  const shape: Shape = {
    menu: ['read', 'write', 'write', 'swap', 'add', 'until', ...(atomic ? (['atomic', 'combine', 'lock', 'unlock', 'raise', 'await'] as const) : [])],
    variables: random.between(1, 3),
    locks: 1,
    signals: 1,
    threads: random.pick([2, 3, 3, 4]),
    merges: 10,
    waited: 0,
    looksAtOne: !atomic,
  }
  const program = programOf(shape, random, { most: 8, step: () => randomStep(shape, random, nobody) })
  const loop = (): Step[] => [
    { action: randomAction({ ...shape, menu: ['look'] }, random, nobody) },
    ...Array.from({ length: random.between(1, 2) }, (): Step => randomStep({ ...shape, menu: ['again'] }, random, nobody)),
  ]
  const threads = program.threads.map((thread, i) => {
    if (i > 0 && random.chance(60)) return thread
    const at = random.between(0, thread.steps.length)
    return { ...thread, steps: thread.steps.slice(0, shape.threads > 3 ? 1 : 2).toSpliced(at, 0, ...loop()) }
  })
  return { ...program, threads }
}

/** Threads that go round: until something has another value, or until they give up; with what they write before and after. */
export function spinning(random: Random, { several }: { several: boolean }): Ast {
  const threads = random.pick([2, 2, 2, 3])
  const shape: Shape = { menu: ['read', 'write', 'write', 'swap', 'add'], variables: several ? random.pick([2, 2, 3]) : random.pick([1, 2]), locks: 0, signals: 0, threads }
  const some = (): Step[] => Array.from({ length: random.between(0, threads > 2 ? 1 : 2) }, () => ({ action: randomAction(shape, random, nobody) }))
  const goesRound = (thread: number): boolean => thread === 0 || random.chance(threads > 2 ? 40 : 60)
  const steps = (thread: number): Step[] => [...some(), ...(goesRound(thread) ? askingLoop(shape, random, { several }) : []), ...some()]
  return { variables: shape.variables, locks: 0, signals: 0, threads: Array.from({ length: threads }, (_, i) => ({ spawned: false, steps: steps(i) })) }
}

function askingLoop(shape: Shape, random: Random, { several }: { several: boolean }): Step[] {
  const asked = random.below(shape.variables)
  const look = (): Step => {
    const action = randomAction({ ...shape, menu: ['read', 'read', 'read', 'swap'] }, random, nobody)
    const changed = several ? action : ({ ...action, variable: asked } as Action)
    // It does not find again what it has made.
    return { action: changed.type === 'swap' ? { ...changed, next: 2 } : changed }
  }
  let round: Step[]
  do round = Array.from({ length: several ? random.between(2, 3) : random.pick([1, 1, 2]) }, look)
  while (round.some((step, i) => i > 0 && isLikeLook(step, round[0]!)))
  // What writes in every round has to give up.
  const writes = random.chance(20)
  if (writes) round.unshift({ action: randomAction({ ...shape, menu: ['write', 'add'] }, random, nobody) })
  const most = writes || random.chance(15) ? { most: random.between(1, 2) } : {}
  return [...round, { action: { type: 'back', steps: round.length, while: { relation: random.pick(['==', '!=']), value: random.below(2) }, ...most } }]
}

/** Both look at the same: where a round begins nobody could tell. */
function isLikeLook({ action: one }: Step, { action: other }: Step): boolean {
  return 'variable' in one && 'variable' in other && one.type === other.type && one.variable === other.variable
}

/** The same steps in every thread. */
export function identical(random: Random): Ast {
  const threads = random.pick([2, 3, 3, 4])
  const shape: Shape = {
    menu: ['read', 'write', 'swap', 'add', 'combine', 'atomic', 'atomic', 'lock', 'unlock', 'raise', 'await'],
    variables: random.between(1, 3),
    locks: 1,
    signals: 1,
    threads,
    merges: 20,
  }
  const length = random.between(1, threads === 2 ? 4 : threads === 3 ? 3 : 2)
  const steps = Array.from({ length }, () => randomStep(shape, random, nobody))
  return { variables: shape.variables, locks: 1, signals: 1, threads: Array.from({ length: threads }, () => ({ spawned: false, steps })) }
}

/** Six to ten threads of a step or two. */
export function manyThreads(random: Random): Ast {
  const threads = random.between(6, 10)
  const shape: Shape = {
    menu: ['read', 'read', 'write', 'write', 'add', 'swap', 'combine', 'atomic', 'until', 'lock'],
    variables: random.between(threads - 3, threads),
    locks: 2,
    signals: 0,
    threads,
    merges: 20,
    waited: 0,
  }
  return programOf(shape, random, { most: 11, step: () => randomStep(shape, random, nobody) })
}

/** Two or three threads of 100 steps, all but a few of which access what is the thread's own. */
export function longThreads(random: Random): Ast {
  const threads = random.pick([2, 2, 3])
  const atomic = random.chance(60)
  const menu = ['read', 'write', 'add', 'swap', 'combine', ...(atomic ? (['atomic'] as const) : [])] as const
  const shared: Shape = { menu, variables: 2, locks: 0, signals: 0, threads, merges: 20 }
  const thread = (own: number): Step[] => {
    const steps = Array.from({ length: 100 }, (): Step => ownStep(random, own, { atomic }))
    for (let i = random.between(1, threads === 2 ? 4 : 2); i > 0; i--) {
      steps[random.below(100)] = { action: randomAction(shared, random, nobody) }
    }
    return steps
  }
  return {
    variables: 2 + threads,
    locks: 0,
    signals: 0,
    threads: Array.from({ length: threads }, (_, i) => ({ spawned: false, steps: thread(2 + i) })),
  }
}

function ownStep(random: Random, variable: number, { atomic }: { atomic: boolean }): Step {
  const actions: Action[] = [
    { type: 'read', variable },
    { type: 'write', variable, value: random.below(2) },
    { type: 'add', variable },
  ]
  if (atomic) actions.push({ type: 'atomic', body: [{ type: 'get', variable }, { type: 'set', variable, value: 'r+1' }] })
  const action = random.pick(actions)
  return random.chance(10) ? { when: random.below(2), skips: random.between(1, 3), action } : { action }
}

/** Threads that all start with the program, with at most so many steps in all. */
function programOf(shape: Shape, random: Random, { most, step }: { most: number; step: () => Step }): Ast {
  const each = Math.floor(most / shape.threads)
  const threads = Array.from({ length: shape.threads }, () => ({
    spawned: false,
    steps: Array.from({ length: random.between(1, Math.max(1, each)) }, step),
  }))
  return { variables: shape.variables, locks: shape.locks, signals: shape.signals, threads }
}
