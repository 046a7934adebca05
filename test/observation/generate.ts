import type { Random } from '../oracle/random.ts'
import type { Address, Ast, Condition, Part, Single, Step, Value } from './ast.ts'

/**
 * - `variables`: values, read back, written, updated; computed addresses.
 * - `counters`: additions of integers and of others, with reads.
 * - `lists`: pushes, contents, lengths.
 * - `maps`: keys that come and go, values, order and size.
 * - `single`: steps with one access each.
 * - `mixed`: everything, with conditions that are waited for, and throws.
 */
export const kinds = ['variables', 'counters', 'lists', 'maps', 'single', 'mixed'] as const
export type Kind = (typeof kinds)[number]

type Type = Single['type']

const menus: Record<Kind, readonly Type[]> = {
  variables: ['get', 'get', 'set', 'set', 'set', 'update', 'plus'],
  counters: ['plus', 'plus', 'plus', 'plus', 'get', 'set', 'update'],
  lists: ['push', 'push', 'push', 'pushAndCount', 'items', 'length', 'get', 'set'],
  maps: ['mapSet', 'mapSet', 'mapSet', 'mapDelete', 'mapDelete', 'mapGet', 'mapHas', 'mapKeys', 'mapSize', 'mapClear'],
  single: ['get', 'get', 'set', 'set', 'update', 'push', 'push', 'items', 'length', 'mapGet', 'mapHas', 'mapKeys'],
  mixed: ['get', 'get', 'set', 'set', 'plus', 'plus', 'update', 'push', 'pushAndCount', 'items', 'length', 'mapSet', 'mapSet', 'mapDelete', 'mapGet', 'mapHas', 'mapKeys', 'mapSize'],
}

const endMenu: readonly Type[] = ['get', 'get', 'items', 'length', 'mapGet', 'mapHas', 'mapKeys', 'mapSize']
const amounts: readonly (number | string)[] = [1, 1, 1, 2, -1, 3, 0.5, 's', 1e16, 9_007_199_254_740_990]

export function generate(kind: Kind, random: Random): Ast {
  const shape: Shape = { kind, random, variables: random.between(1, 3), lists: random.between(1, 2), maps: 1, keys: random.between(1, 3) }
  const count = random.pick([2, 2, 3, 3, 3, 4])
  const most = count === 4 ? 2 : 3
  const threads = Array.from({ length: count }, () => Array.from({ length: random.between(1, most) }, () => randomStep(shape)))
  const end = Array.from({ length: random.between(0, 2) }, () => randomSingle(shape, random.pick(endMenu.filter((type) => isOf(kind, type)))))
  return { variables: shape.variables, lists: shape.lists, maps: shape.maps, threads, end }
}

interface Shape {
  readonly kind: Kind
  readonly random: Random
  readonly variables: number
  readonly lists: number
  readonly maps: number
  readonly keys: number
}

function isOf(kind: Kind, type: Type): boolean {
  return menus[kind].includes(type) || menus[kind].some((other) => other.slice(0, 3) === type.slice(0, 3))
}

function randomStep(shape: Shape): Step {
  const { kind, random } = shape
  const when = random.chance(20) ? { when: randomCondition(random) } : {}
  if (kind === 'mixed' && random.chance(12)) {
    return { type: 'until', ...when, variable: random.below(shape.variables), equals: random.below(3), negated: random.chance(50) }
  }
  if (kind === 'single' || random.chance(30)) return { type: 'single', ...when, part: randomSingle(shape, random.pick(menus[kind])) }
  return { type: 'atomic', ...when, body: randomParts(shape, { count: random.between(1, 3), deep: true }) }
}

function randomParts(shape: Shape, { count, deep }: { count: number; deep: boolean }): Part[] {
  const { random, kind } = shape
  return Array.from({ length: count }, (): Part => {
    if (deep && random.chance(20)) return { type: 'if', condition: randomCondition(random), body: randomParts(shape, { count: random.between(1, 2), deep: false }) }
    if (!deep && kind === 'mixed' && random.chance(15)) return { type: 'throw' }
    return randomSingle(shape, random.pick(menus[kind]))
  })
}

function randomCondition(random: Random): Condition {
  return random.pick<Condition>(['even', 'truthy', { equals: 0 }, { equals: 1 }])
}

function randomSingle(shape: Shape, type: Type): Single {
  const { random } = shape
  const variable = randomAddress(shape)
  const list = random.below(shape.lists)
  const map = random.below(shape.maps)
  const key = 'abc'[random.below(shape.keys)]!
  switch (type) {
    case 'get':
    case 'update':
      return { type, variable }
    case 'set':
      return { type, variable, value: randomValue(random) }
    case 'plus':
      return { type, variable, amount: random.pick(random.chance(60) ? [1, 2, -1] : amounts) }
    case 'push':
    case 'pushAndCount':
      return { type, list, value: randomValue(random) }
    case 'items':
    case 'length':
      return { type, list }
    case 'mapSet':
      return { type, map, key, value: randomValue(random) }
    case 'mapDelete':
    case 'mapGet':
    case 'mapHas':
      return { type, map, key }
    case 'mapClear':
    case 'mapKeys':
    case 'mapSize':
      return { type, map }
    default:
      return type satisfies never
  }
}

function randomAddress({ random, kind, variables }: Shape): Address {
  return kind !== 'single' && random.chance(25) ? 'r' : random.below(variables)
}

function randomValue(random: Random): Value {
  const sort = random.below(10)
  if (sort < 2) return 'r+1'
  return sort < 3 ? 'r' : random.below(3)
}
