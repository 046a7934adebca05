import type { Comparison } from './compare.ts'

/** A body that was compared. */
interface Compared {
  readonly seed: number
  /** What is printed of a body that is wrong. */
  readonly shown: string
}

/** Counts what bodies of one sort have come to, and keeps those that are wrong. */
export class Tally {
  readonly #total: Record<Comparison['status'], number> = { agrees: 0, lost: 0, invented: 0, error: 0, 'too large': 0 }
  readonly #wrong: { readonly text: string; readonly length: number }[] = []
  #executions = 0
  #orders = 0

  add(found: Comparison, { seed, shown }: Compared): void {
    this.#total[found.status]++
    this.#executions += found.executions
    if (found.status === 'agrees') this.#orders += found.orders
    if (found.status === 'agrees' || found.status === 'too large') return
    const texts = [...found.lost.map((one) => `lost ${one}`), ...found.invented.map((one) => `invented ${one}`), ...(found.error ? [found.error] : [])]
    this.#wrong.push({ text: `seed ${seed}: ${texts.join('\n  ')}\n${shown}\n`, length: shown.length })
  }

  /** Prints it, with so many wrong ones, the shortest first; where there are any the process ends with 1. */
  print(name: string, show: number): void {
    for (const { text } of this.#wrong.toSorted((a, b) => a.length - b.length).slice(0, show)) console.log(text)
    console.log(`${name}: ${Object.entries(this.#total).map(([status, count]) => `${count} ${status}`).join(', ')}; ${this.#executions} executions, ${this.#orders} orders`)
    if (this.#wrong.length > 0) process.exitCode = 1
  }
}
