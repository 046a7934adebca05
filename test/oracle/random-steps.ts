import type { Action, Address, Part, Step, Value } from './ast.ts'
import type { Random } from './random.ts'

/** What the steps of a random program are made of. */
export interface Shape {
  readonly menu: readonly Action['type'][]
  readonly variables: number
  readonly locks: number
  readonly signals: number
  readonly threads: number
  /** Of the parts of an atomic step: how often one adds up, in percent. Default 0. */
  readonly merges?: number
  /** How often an address is computed, in percent. Default 0. */
  readonly computed?: number
  /** How deep conditions nest in an atomic step. Default 1. */
  readonly depth?: number
  /** Variables up to this one are waited for and never combined, the others combined and never waited for. Default: no matter. */
  readonly waited?: number
  /** Steps that look, and look again, have one access. */
  readonly looksAtOne?: boolean
}

/** Whose steps they are, and the thread that somebody spawns, or -1. */
export interface Place {
  readonly thread: number
  readonly child: number
}

export function randomStep(shape: Shape, random: Random, place: Place): Step {
  const action = randomAction(shape, random, place)
  return random.chance(25) ? { when: random.below(2), action } : { action }
}

export function randomAction(shape: Shape, random: Random, { thread, child }: Place): Action {
  const type = random.pick(shape.menu)
  const variable = random.below(shape.variables)
  switch (type) {
    case 'read':
    case 'add':
      return { type, variable: randomAddress(shape, random, variable) }
    case 'combine':
      return { type: canCombine(shape, variable) ? 'combine' : 'add', variable }
    case 'write':
      return { type, variable: randomAddress(shape, random, variable), value: randomValue(random) }
    case 'swap':
      return { type, variable: randomAddress(shape, random, variable), expected: random.below(2), next: random.below(3) }
    case 'atomic': {
      const body = randomParts(shape, random, { count: random.between(0, 3), depth: shape.depth ?? 1 })
      return shape.signals > 0 && random.chance(30) ? { type, after: random.below(shape.signals), body } : { type, body }
    }
    case 'lock':
    case 'unlock':
      return { type, lock: random.below(shape.locks) }
    case 'until':
      if (shape.waited !== undefined && variable > shape.waited) return { type: 'read', variable }
      return { type, variable, predicate: { relation: random.pick(['==', '!=']), value: random.below(2) } }
    case 'look':
      return { type, variables: shape.looksAtOne ? [variable] : [...new Set([variable, random.below(shape.variables)])] }
    case 'again':
      return { type, body: shape.looksAtOne ? [] : randomParts(shape, random, { count: random.pick([0, 0, 1, 2]), depth: 1 }) }
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
    case 'back':
      throw new Error('spawns and loops are added later')
    default:
      return type satisfies never
  }
}

function randomParts(shape: Shape, random: Random, size: { count: number; depth: number }): Part[] {
  const { merges = 0 } = shape
  const parts: Part[] = []
  for (let i = 0; i < size.count; i++) {
    const variable = random.below(shape.variables)
    const sort = random.below(size.depth > 0 ? 6 : 4)
    if (shape.signals > 0 && random.chance(15)) parts.push({ type: 'set-signal', signal: random.below(shape.signals) })
    else if (merges > 0 && random.chance(merges) && canCombine(shape, variable)) parts.push({ type: 'merge', variable })
    else if (sort < 2) parts.push({ type: 'get', variable: randomAddress(shape, random, variable) })
    else if (sort < 4) parts.push({ type: 'set', variable: randomAddress(shape, random, variable), value: randomValue(random) })
    else {
      parts.push({ type: 'get', variable: randomAddress(shape, random, variable) })
      const body = randomParts(shape, random, { count: random.between(1, 2), depth: size.depth - 1 })
      parts.push({ type: 'if', equals: random.below(2), body })
    }
  }
  return parts
}

function randomAddress({ computed = 0 }: Shape, random: Random, variable: number): Address {
  return computed > 0 && random.chance(computed) ? 'r' : variable
}

export function randomValue(random: Random): Value {
  return random.chance(30) ? 'r+1' : random.below(3)
}

function canCombine({ waited }: Shape, variable: number): boolean {
  return waited === undefined || variable > waited
}
