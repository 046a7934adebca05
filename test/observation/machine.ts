import { addressOf, meets, outcomeOf, valueOf, type Ast, type Part, type Register, type Single, type Step } from './ast.ts'

class Thrown extends Error {}

/** A state of a program, and what its threads have seen so far. It shares no code with the engine. */
export class Machine {
  readonly #ast: Ast
  #variables: Register[]
  #lists: Register[][]
  #maps: [string, Register][][]
  #position: number[]
  #registers: Register[]
  #logs: Register[][]
  #threw: boolean[]

  constructor(ast: Ast, from?: Machine) {
    this.#ast = ast
    const { threads } = ast
    this.#variables = from ? from.#variables.slice() : filled(ast.variables, () => 0)
    this.#lists = from ? from.#lists.map((list) => list.slice()) : filled(ast.lists, () => [])
    this.#maps = from ? from.#maps.map((map) => map.slice()) : filled(ast.maps, () => [])
    this.#position = from ? from.#position.slice() : threads.map(() => 0)
    this.#registers = from ? from.#registers.slice() : threads.map(() => 0)
    this.#logs = from ? from.#logs.map((log) => log.slice()) : threads.map(() => [])
    this.#threw = from ? from.#threw.slice() : threads.map(() => false)
    if (from === undefined) threads.forEach((_, thread) => this.#skip(thread))
  }

  copy(): Machine {
    return new Machine(this.#ast, this)
  }

  /** All that decides how it goes on and what it shows. */
  get key(): string {
    return JSON.stringify([
      this.#variables.map(exact), this.#lists.map((list) => list.map(exact)), this.#maps.map((map) => map.map(([key, value]) => [key, exact(value)])),
      this.#position, this.#registers.map(exact), this.#logs.map((log) => log.map(exact)), this.#threw,
    ])
  }

  enabled(): number[] {
    return this.#position.flatMap((_, thread) => (this.isEnabled(thread) ? [thread] : []))
  }

  isEnabled(thread: number): boolean {
    const step = this.#next(thread)
    if (step === undefined) return false
    return step.type !== 'until' || (this.#variables[step.variable] === step.equals) !== step.negated
  }

  step(thread: number): void {
    const step = this.#next(thread)!
    try {
      if (step.type === 'until') this.#see(thread, this.#variables[step.variable])
      else for (const part of step.type === 'single' ? [step.part] : step.body) this.#take(thread, part)
    } catch (error) {
      if (!(error instanceof Thrown)) throw error
      this.#threw[thread] = true
      return
    }
    this.#position[thread]!++
    this.#skip(thread)
  }

  get outcome(): string {
    const ends = this.#position.map((_, thread) => (this.#threw[thread] ? 'threw' : this.#next(thread) === undefined ? 'done' : 'stuck'))
    const logs = this.#logs
    if (!ends.every((end) => end === 'done')) return outcomeOf({ logs, ends, end: undefined })
    const last = this.copy()
    last.#registers.push(0)
    last.#logs.push([])
    const thread = last.#logs.length - 1
    for (const part of this.#ast.end) last.#take(thread, part)
    return outcomeOf({ logs, ends, end: last.#logs[thread]! })
  }

  #next(thread: number): Step | undefined {
    return this.#threw[thread] ? undefined : this.#ast.threads[thread]![this.#position[thread]!]
  }

  #skip(thread: number): void {
    for (let step = this.#next(thread); step?.when !== undefined && !meets(step.when, this.#registers[thread]); step = this.#next(thread)) {
      this.#position[thread]!++
    }
  }

  #see(thread: number, value: Register): void {
    this.#registers[thread] = value
    this.#logs[thread]!.push(value)
  }

  #take(thread: number, part: Part): void {
    if (part.type === 'throw') throw new Thrown()
    if (part.type !== 'if') return this.#act(thread, part)
    if (meets(part.condition, this.#registers[thread])) for (const inner of part.body) this.#take(thread, inner)
  }

  #act(thread: number, part: Single): void {
    const register = this.#registers[thread]
    if ('variable' in part) return this.#variable(thread, addressOf(part.variable, register, this.#ast.variables), part)
    if ('list' in part) {
      const list = this.#lists[part.list]!
      if ('value' in part) list.push(valueOf(part.value, register))
      if (part.type === 'items') this.#see(thread, list.map(exact).join())
      else if (part.type !== 'push') this.#see(thread, list.length)
      return
    }
    this.#map(thread, part)
  }

  #variable(thread: number, address: number, part: Single & { variable: unknown }): void {
    const register = this.#registers[thread]
    if (part.type === 'get') this.#see(thread, this.#variables[address])
    else if (part.type === 'set') this.#variables[address] = valueOf(part.value, register)
    else if (part.type === 'plus') this.#variables[address] = (this.#variables[address] as number) + (part.amount as number)
    else {
      this.#variables[address] = (this.#variables[address] as number) + 1
      this.#see(thread, this.#variables[address])
    }
  }

  #map(thread: number, part: Single & { map: number }): void {
    const map = this.#maps[part.map]!
    const at = 'key' in part ? map.findIndex(([key]) => key === part.key) : -1
    switch (part.type) {
      case 'mapSet': {
        const entry: [string, Register] = [part.key, valueOf(part.value, this.#registers[thread])]
        if (at === -1) map.push(entry)
        else map[at] = entry
        return
      }
      case 'mapDelete':
        if (at !== -1) map.splice(at, 1)
        return
      case 'mapClear':
        map.length = 0
        return
      case 'mapGet':
        return this.#see(thread, map[at]?.[1])
      case 'mapHas':
        return this.#see(thread, at !== -1)
      case 'mapKeys':
        return this.#see(thread, map.map(([key]) => key).join())
      case 'mapSize':
        return this.#see(thread, map.length)
      default:
        throw new Error(`no map operation: ${part.type}`)
    }
  }
}

function exact(value: Register): string {
  return `${typeof value}:${Object.is(value, -0) ? '-0' : value}`
}

function filled<T>(length: number, make: () => T): T[] {
  return Array.from({ length }, make)
}

/** What all interleavings show; `undefined` if there are more states than `cap`. A state met twice is gone on from once. */
export function enumerateOutcomes(ast: Ast, cap: number): Set<string> | undefined {
  const outcomes = new Set<string>()
  const seen = new Set<string>()
  const stack = [new Machine(ast)]
  for (let machine = stack.pop(); machine !== undefined; machine = stack.pop()) {
    const enabled = machine.enabled()
    if (enabled.length === 0) outcomes.add(machine.outcome)
    for (const thread of enabled) {
      const next = machine.copy()
      next.step(thread)
      const { key } = next
      if (seen.has(key)) continue
      seen.add(key)
      if (seen.size > cap) return undefined
      stack.push(next)
    }
  }
  return outcomes
}

/** What the interleaving shows. */
export function outcomeOfSchedule(ast: Ast, schedule: readonly number[]): string {
  const machine = new Machine(ast)
  for (const thread of schedule) {
    if (!machine.isEnabled(thread)) return `thread ${thread} cannot run`
    machine.step(thread)
  }
  return machine.outcome
}
