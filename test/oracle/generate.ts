import type { Action, Ast, AstThread, Part, Step, Value } from './ast.ts'
import type { Random } from './random.ts'

export const kinds = ['single', 'swap', 'locks', 'blocking', 'atomic', 'waits', 'delays', 'sums', 'mixed'] as const

/** Those whose steps all have one access. */
export const singleAccessKinds: readonly Kind[] = ['single', 'swap', 'locks', 'blocking']

/**
 * - `single`: reads, writes and atomic additions.
 * - `swap`: the same with compare-and-swap.
 * - `atomic`: steps with several accesses, some conditional on what the step read.
 * - `locks`: single accesses and locks.
 * - `blocking`: single accesses of every sort, with everything that can block.
 * - `waits`: single accesses, blocking reads, signals, spawns and joins.
 * - `delays`: steps with one or several accesses, signals and virtual time.
 * - `sums`: steps with one or several accesses, among them changes that commute.
 * - `mixed`: everything.
 */
export type Kind = (typeof kinds)[number]

type ActionType = Action['type']

const menus: Record<Kind, readonly ActionType[]> = {
  single: ['read', 'read', 'write', 'write', 'add'],
  swap: ['read', 'write', 'swap', 'swap', 'add'],
  atomic: ['atomic'],
  locks: ['read', 'write', 'lock', 'lock', 'unlock', 'unlock', 'add'],
  blocking: ['read', 'write', 'write', 'swap', 'lock', 'unlock', 'until', 'until', 'raise', 'await', 'join', 'add', 'delay'],
  waits: ['read', 'write', 'write', 'until', 'until', 'raise', 'await', 'join', 'add', 'atomic'],
  delays: ['read', 'write', 'atomic', 'delay', 'delay', 'raise', 'await', 'until'],
  sums: ['read', 'write', 'combine', 'combine', 'atomic'],
  mixed: ['read', 'write', 'swap', 'atomic', 'atomic', 'lock', 'unlock', 'until', 'raise', 'await', 'join', 'add', 'delay'],
}

export function generate(kind: Kind, random: Random): Ast {
  const shape = {
    kind,
    variables: random.between(1, 3),
    locks: kind === 'locks' || kind === 'blocking' || kind === 'mixed' ? random.between(1, 2) : 0,
    signals: kind === 'waits' || kind === 'blocking' || kind === 'delays' || kind === 'mixed' ? random.between(1, 2) : 0,
    threads: random.pick([2, 3, 3, 3, 4]),
  }
  const most = shape.threads === 4 ? 2 : shape.threads === 3 ? 3 : 4
  const spawning = (kind === 'waits' || kind === 'blocking' || kind === 'mixed') && shape.threads > 2 && random.chance(60)
  const last = shape.threads - 1
  const threads: AstThread[] = []
  for (let i = 0; i < shape.threads; i++) {
    const steps = Array.from({ length: random.between(1, most) }, () => randomStep(shape, random, i, spawning ? last : -1))
    threads.push({ spawned: spawning && i === last, steps })
  }
  if (spawning) addSpawn(threads, last, random)
  return { variables: shape.variables, locks: shape.locks, signals: shape.signals, threads }
}

interface Shape {
  readonly kind: Kind
  readonly variables: number
  readonly locks: number
  readonly signals: number
  readonly threads: number
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

function randomStep(shape: Shape, random: Random, thread: number, child: number): Step {
  const action = randomAction(shape, random, thread, child)
  return random.chance(25) ? { when: random.below(2), action } : { action }
}

function randomAction(shape: Shape, random: Random, thread: number, child: number): Action {
  const type = random.pick(menus[shape.kind])
  const variable = random.below(shape.variables)
  switch (type) {
    case 'read':
    case 'add':
    case 'combine':
      return { type, variable }
    case 'write':
      return { type, variable, value: randomValue(random) }
    case 'swap':
      return { type, variable, expected: random.below(2), next: random.below(3) }
    case 'atomic': {
      const body = randomParts(shape, random, { count: random.between(0, 3), deep: true })
      return shape.signals > 0 && random.chance(30) ? { type, after: random.below(shape.signals), body } : { type, body }
    }
    case 'lock':
    case 'unlock':
      return { type, lock: random.below(shape.locks) }
    case 'until':
      return { type, variable, predicate: { relation: random.pick(['==', '!=']), value: random.below(2) } }
    case 'raise':
    case 'await':
      return { type, signal: random.below(shape.signals) }
    case 'join': {
      const other = random.below(shape.threads)
      if (other === thread || other === child) return { type: 'write', variable, value: 1 }
      return { type, thread: other }
    }
    case 'delay':
      return { type, time: random.below(3) }
    case 'spawn':
      throw new Error('spawns are added later')
    default:
      return type satisfies never
  }
}

function randomParts(shape: Shape, random: Random, size: { count: number; deep: boolean }): Part[] {
  const parts: Part[] = []
  for (let i = 0; i < size.count; i++) {
    const variable = random.below(shape.variables)
    const sort = random.below(size.deep ? 6 : 4)
    if (shape.signals > 0 && random.chance(15)) parts.push({ type: 'set-signal', signal: random.below(shape.signals) })
    else if (shape.kind === 'sums' && random.chance(25)) parts.push({ type: 'merge', variable })
    else if (sort < 2) parts.push({ type: 'get', variable })
    else if (sort < 4) parts.push({ type: 'set', variable, value: randomValue(random) })
    else {
      parts.push({ type: 'get', variable })
      const body = randomParts(shape, random, { count: random.between(1, 2), deep: false })
      parts.push({ type: 'if', equals: random.below(2), body })
    }
  }
  return parts
}

function randomValue(random: Random): Value {
  return random.chance(30) ? 'r+1' : random.below(3)
}
