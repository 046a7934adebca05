import { Math } from '../intrinsics.ts'

/** Which of the branches that wait at one node is taken first. */
export interface SiblingOrder {
  /** The place of one of them; `processes` are those that they begin with. */
  pick(processes: readonly number[]): number
  /** All that what comes depends on. */
  state: number
}

const names = ['bit-reversal', 'round-robin', 'stride', 'conflict-first'] as const
type Seeded = Exclude<(typeof names)[number], 'conflict-first'>
export type SiblingOrderName = (typeof names)[number] | `${Seeded}:${number}`

export function isSiblingOrder(name: unknown): name is SiblingOrderName {
  return typeof name === 'string' && /^(?:(?:bit-reversal|round-robin|stride)(?::\d{1,9})?|conflict-first)$/.test(name)
}

export function siblingOrderNamed(name: SiblingOrderName): SiblingOrder {
  const [order, seed = '0'] = name.split(':') as [(typeof names)[number], string?]
  switch (order) {
    case 'bit-reversal':
      return new BitReversal(Number(seed))
    case 'round-robin':
      return new RoundRobin(Number(seed))
    case 'stride':
      return new Stride(Number(seed))
    case 'conflict-first':
      return { state: 0, pick: (processes) => processes.indexOf(Math.max(...processes)) }
    default:
      return order satisfies never
  }
}

/** Numbers one after another, their bits turned round: each half, then each quarter, and so on. */
class BitReversal implements SiblingOrder {
  /** The next number. */
  state: number

  constructor(seed: number) {
    this.state = seed
  }

  pick({ length }: readonly number[]): number {
    const bits = Math.ceil(Math.log2(length))
    let number = this.state++ % 2 ** bits
    let reversed = 0
    for (let bit = 0; bit < bits; bit++) {
      reversed = reversed * 2 + (number % 2)
      number = Math.floor(number / 2)
    }
    return reversed % length
  }
}

/** The processes in turn. */
class RoundRobin implements SiblingOrder {
  /** The last process. */
  state: number

  constructor(seed: number) {
    this.state = seed - 1
  }

  pick(processes: readonly number[]): number {
    const later = processes.filter((process) => process > this.state)
    this.state = Math.min(...(later.length > 0 ? later : processes))
    return processes.indexOf(this.state)
  }
}

/** Every so many of them, a number that has no divisor in common with how many there are. */
class Stride implements SiblingOrder {
  readonly #seed: number
  /** How many were picked. */
  state = 0

  constructor(seed: number) {
    this.#seed = seed
  }

  pick({ length }: readonly number[]): number {
    let stride = 1 + (this.#seed % length)
    while (divisor(stride, length) !== 1) stride++
    return (this.state++ * stride) % length
  }
}

/** The greatest that both have in common. */
function divisor(one: number, other: number): number {
  return other === 0 ? one : divisor(other, one % other)
}
