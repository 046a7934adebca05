type Kind = 'read' | 'write' | 'add' | 'lock'

interface LocationHistory {
  writes: number
  /** Since the last write: the processes and steps that added. */
  adds: string[]
  lockEvents: number
}

/**
 * The canonical form of an execution as it runs: for each process its steps, each access with the number of writes
 * (or lock events) of its location so far. Two interleavings have the same form exactly if they order all dependent
 * steps alike.
 */
export class Form {
  #processes: string[] = []
  #steps: number[] = []
  #locations: LocationHistory[] = []
  readonly #accesses = new Map<number, Kind>()

  begin(): void {
    this.#processes = []
    this.#steps = []
    this.#locations = []
    this.#accesses.clear()
  }

  get text(): string {
    return this.#processes.join('|')
  }

  start(process: number): void {
    this.#processes[process] = ''
    this.#steps[process] = 0
  }

  /** By the step now running. Two kinds of access of one location depend on whatever a write depends on. */
  access(location: number, kind: Kind): void {
    const before = this.#accesses.get(location)
    this.#accesses.set(location, before === undefined || before === kind ? kind : 'write')
  }

  endStep(process: number): void {
    const words = [...this.#accesses].map(([location, kind]) => this.#word(process, location, kind))
    this.#processes[process] += `${words.join(',')};`
    this.#steps[process]!++
    this.#accesses.clear()
  }

  #word(process: number, location: number, kind: Kind): string {
    const history = (this.#locations[location] ??= { writes: 0, adds: [], lockEvents: 0 })
    if (kind === 'lock') return `l${location}.${history.lockEvents++}`
    if (kind === 'add') {
      history.adds.push(`${process}:${this.#steps[process]}`)
      return `a${location}.${history.writes}`
    }
    const after = history.adds.length === 0 ? history.writes : `${history.writes}[${history.adds.toSorted().join(' ')}]`
    if (kind === 'read') return `r${location}.${after}`
    history.writes++
    history.adds = []
    return `w${location}.${after}`
  }
}
