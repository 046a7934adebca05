/** The order in which some points of a program have to be passed, in one execution. The first that comes to a point of a name takes the first place of that name, and so on. */
export class PointOrder {
  readonly names: readonly string[]
  /** By name: its places in the order that nobody has taken so far, the first one first. */
  readonly #places = new Map<string, number[]>()
  /** How many have been passed. */
  passed = 0

  constructor(names: readonly string[]) {
    this.names = names
    names.forEach((name, place) => this.#places.set(name, [...(this.#places.get(name) ?? []), place]))
  }

  /** Whether it matters in what order those come to a point of this name. */
  has(name: string): boolean {
    return this.#places.has(name)
  }

  /** Somebody has come to the point: the place that is now his; undefined where there is none left. */
  take(name: string): number | undefined {
    return this.#places.get(name)?.shift()
  }

  get isOver(): boolean {
    return this.passed === this.names.length
  }
}

/** The names in a list, for a report. */
export function listedPoints(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ')
}
