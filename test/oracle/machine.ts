import { addressOf, satisfies, valueOf, type Action, type Address, type Ast, type Part } from './ast.ts'
import { roundBefore, withLook, type RoundLook } from './rounds.ts'

/**
 * A state of an oracle program. It also writes the canonical form of how it got there: for each thread its steps, each
 * access with the number of writes (or lock events) of its location so far. Two interleavings have the same form
 * exactly if they order all dependent steps alike.
 */
export class Machine {
  readonly #ast: Ast
  /** Threads in the order in which they were started; a schedule names them by their place here. */
  readonly started: number[]
  #variables: number[]
  /** By variable: writes so far, and the commuting changes since the last one, by thread and step. */
  #versions: number[]
  #changes: string[][]
  #holders: number[]
  #lockEvents: number[]
  #raised: boolean[]
  #raises: number[]
  #position: number[]
  #register: number[]
  #forms: string[]
  #time: number
  /** By variable: changes of every sort so far. */
  #changed: number[]
  /** By thread: the variables that it last looked at, with the changes that they had had. */
  #looked: (readonly (readonly [variable: number, changes: number])[])[]
  /** When the delay that the thread is at ends. */
  #ends: number[]
  /** By thread, and step that goes back: how often it has. */
  #gone: (readonly number[])[]
  /** By thread: the steps in a row that only looked. */
  #rounds: (readonly RoundLook[])[]
  /** By thread: what its last round has looked at, if it waits for a change of that. */
  #awaited: (readonly RoundLook[] | undefined)[]
  /** No thread waits, however often it goes round. */
  readonly #spins: boolean

  constructor(ast: Ast, { from, spins = from !== undefined && from.#spins }: { readonly from?: Machine; readonly spins?: boolean } = {}) {
    this.#ast = ast
    this.#spins = spins
    const { threads } = ast
    this.started = from ? from.started.slice() : []
    this.#variables = from ? from.#variables.slice() : Array.from({ length: ast.variables }, (_, i) => ast.initial?.[i] ?? 0)
    this.#versions = from ? from.#versions.slice() : filled(ast.variables, 0)
    this.#changes = from ? from.#changes.map((changes) => changes.slice()) : filled(ast.variables, 0).map(() => [])
    this.#holders = from ? from.#holders.slice() : filled(ast.locks, -1)
    this.#lockEvents = from ? from.#lockEvents.slice() : filled(ast.locks, 0)
    this.#raised = from ? from.#raised.slice() : filled(ast.signals, false)
    this.#raises = from ? from.#raises.slice() : filled(ast.signals, 0)
    this.#position = from ? from.#position.slice() : threads.map(() => 0)
    this.#register = from ? from.#register.slice() : threads.map(() => 0)
    this.#forms = from ? from.#forms.slice() : threads.map(() => '')
    this.#time = from ? from.#time : 0
    this.#changed = from ? from.#changed.slice() : filled(ast.variables, 0)
    this.#looked = from ? from.#looked.slice() : threads.map(() => [])
    this.#ends = from ? from.#ends.slice() : threads.map(() => 0)
    this.#gone = from ? from.#gone.slice() : threads.map(() => [])
    this.#rounds = from ? from.#rounds.slice() : threads.map(() => [])
    this.#awaited = from ? from.#awaited.slice() : threads.map(() => undefined)
    if (from) return
    threads.forEach(({ spawned }, i) => {
      if (!spawned) this.#start(i)
    })
    this.#passTime()
  }

  copy(): Machine {
    return new Machine(this.#ast, { from: this })
  }

  get form(): string {
    return this.#forms.join('|')
  }

  enabled(): number[] {
    return this.started.filter((thread) => this.isEnabled(thread))
  }

  isEnabled(thread: number): boolean {
    const action = this.next(thread)
    if (action === undefined) return false
    const awaited = this.#awaited[thread]
    if (awaited?.every(({ variable, changes }) => this.#changed[variable] === changes)) return false
    switch (action.type) {
      case 'lock':
        return this.#holders[action.lock] === -1
      case 'until':
        return satisfies(action.predicate, this.#variables[action.variable]!)
      case 'again':
        return this.#looked[thread]!.length === 0 || this.#looked[thread]!.some(([variable, changes]) => this.#changed[variable] !== changes)
      case 'await':
        return this.#raised[action.signal]!
      case 'atomic':
        return action.after === undefined || this.#raised[action.after]!
      case 'delay':
        return this.#ends[thread]! <= this.#time
      case 'join':
        return this.started.includes(action.thread) && this.next(action.thread) === undefined
      default:
        return true
    }
  }

  step(thread: number): void {
    const action = this.next(thread)!
    const accesses: Accesses = { memory: new Map(), other: new Map() }
    const looks = action.type === 'look' ? action.variables : action.type === 'again' ? this.#looked[thread]!.map(([variable]) => variable) : undefined
    for (const variable of looks ?? []) this.#get(thread, variable, accesses)
    for (const { variable } of this.#awaited[thread] ?? []) note(accesses, variable, 'read')
    const look = this.#lookOf(thread)
    this.#act(thread, action, accesses)
    if (looks) this.#looked[thread] = looks.map((variable) => [variable, this.#changed[variable]!])
    const forms = [...accesses.memory].map(([variable, kind]) => this.#access(thread, variable, kind))
    this.#position[thread]!++
    this.#skip(thread)
    this.#noteRound(thread, look)
    this.#forms[thread] += `${[...forms, ...accesses.other.values()].join(',')};`
    this.#passTime()
  }

  /** What the next step of the thread looks at, if it changes nothing. */
  #lookOf(thread: number): RoundLook | undefined {
    const action = this.next(thread)
    if (action?.type !== 'read' && action?.type !== 'swap') return undefined
    const variable = this.#at(thread, action.variable)
    const seen = this.#variables[variable]!
    if (action.type === 'swap' && seen === action.expected) return undefined
    return { variable, by: action.type, found: action.type === 'swap' ? 0 : seen, seen, changes: this.#changed[variable]! }
  }

  /** A thread waits if it has gone round, and would go round for ever if it saw the same again and again: a compare-and-swap that fails is a read then. */
  #noteRound(thread: number, look: RoundLook | undefined): void {
    this.#rounds[thread] = look === undefined ? [] : withLook(this.#rounds[thread]!, look)
    this.#awaited[thread] = undefined
    const next = this.next(thread)
    if (this.#spins || look === undefined || (next?.type !== 'read' && next?.type !== 'swap')) return
    const round = roundBefore(this.#rounds[thread]!, { variable: this.#at(thread, next.variable), by: next.type })
    if (round !== undefined && this.#goesRound(thread, round)) this.#awaited[thread] = round
  }

  #goesRound(thread: number, round: readonly RoundLook[]): boolean {
    const alone = new Machine(this.#ast, { from: this, spins: true })
    for (const { variable, seen } of round) alone.#variables[variable] = seen
    for (let i = 0; i < round.length * 10; i++) {
      const { variable, seen } = round[i % round.length]!
      const again = alone.#lookOf(thread)
      if (again?.variable !== variable || again.seen !== seen) return false
      alone.step(thread)
    }
    return true
  }

  /** The form of an access of a variable: which writes and changes it comes after. */
  #access(thread: number, variable: number, kind: Kind): string {
    const version = this.#versions[variable]!
    const changes = this.#changes[variable]!
    if (kind === 'change') {
      changes.push(`${thread}:${this.#position[thread]}`)
      return `c${variable}.${version}`
    }
    const form = `${kind}${variable}.${version}[${changes.toSorted().join(' ')}]`
    if (kind === 'write') {
      this.#versions[variable] = version + 1
      this.#changes[variable] = []
    }
    return form
  }

  /** When nothing can run, the shortest delay ends. */
  #passTime(): void {
    if (this.enabled().length > 0) return
    const ends = this.started.filter((thread) => this.next(thread)?.type === 'delay').map((thread) => this.#ends[thread]!)
    if (ends.length > 0) this.#time = Math.min(...ends)
  }

  #act(thread: number, action: Action, accesses: Accesses): void {
    switch (action.type) {
      case 'read':
        return this.#get(thread, this.#at(thread, action.variable), accesses)
      case 'write':
        return this.#set(this.#at(thread, action.variable), valueOf(action.value, this.#register[thread]!), accesses)
      case 'add':
        return this.#increase(this.#at(thread, action.variable), accesses)
      case 'combine':
        return this.#combine(this.#at(thread, action.variable), accesses)
      case 'swap':
        return this.#swap(thread, action, accesses)
      case 'atomic':
        return this.#parts(thread, action.body, accesses)
      case 'lock':
        this.#holders[action.lock] = thread
        accesses.other.set('lock', `l${action.lock}.${this.#lockEvents[action.lock]!++}`)
        return
      case 'unlock':
        this.#holders[action.lock] = -1
        accesses.other.set('lock', `l${action.lock}.${this.#lockEvents[action.lock]!++}`)
        return
      case 'until':
        return this.#get(thread, action.variable, accesses)
      case 'raise':
        return this.#raise(action.signal, accesses)
      case 'spawn':
        return this.#start(action.thread)
      case 'again':
        return this.#parts(thread, action.body, accesses)
      case 'look':
      case 'await':
      case 'delay':
      case 'join':
      case 'back':
        return
      default:
        action satisfies never
    }
  }

  #parts(thread: number, parts: readonly Part[], accesses: Accesses): void {
    for (const part of parts) {
      if (part.type === 'get') this.#get(thread, this.#at(thread, part.variable), accesses)
      else if (part.type === 'set') this.#set(this.#at(thread, part.variable), valueOf(part.value, this.#register[thread]!), accesses)
      else if (part.type === 'merge') this.#combine(this.#at(thread, part.variable), accesses)
      else if (part.type === 'set-signal') this.#raise(part.signal, accesses)
      else if (this.#register[thread] === part.equals) this.#parts(thread, part.body, accesses)
    }
  }

  #at(thread: number, address: Address): number {
    return addressOf(address, this.#ast, this.#register[thread]!)
  }

  #increase(variable: number, accesses: Accesses): void {
    this.#set(variable, this.#variables[variable]! + 1, accesses)
  }

  #get(thread: number, variable: number, accesses: Accesses): void {
    this.#register[thread] = this.#variables[variable]!
    note(accesses, variable, 'read')
  }

  #set(variable: number, value: number, accesses: Accesses): void {
    this.#variables[variable] = value
    this.#changed[variable]!++
    note(accesses, variable, 'write')
  }

  #combine(variable: number, accesses: Accesses): void {
    this.#variables[variable]!++
    this.#changed[variable]!++
    note(accesses, variable, 'change')
  }

  #swap(thread: number, action: Action & { type: 'swap' }, accesses: Accesses): void {
    const variable = this.#at(thread, action.variable)
    const succeeds = this.#variables[variable] === action.expected
    if (succeeds) this.#set(variable, action.next, accesses)
    else this.#get(thread, variable, accesses)
    this.#register[thread] = succeeds ? 1 : 0
  }

  #raise(signal: number, accesses: Accesses): void {
    const location = `s${signal}`
    if (!this.#raised[signal]) {
      this.#raised[signal] = true
      accesses.other.set(location, `ws${signal}.${this.#raises[signal]!++}`)
    } else if (!accesses.other.has(location)) accesses.other.set(location, `rs${signal}.${this.#raises[signal]}`)
  }

  #start(thread: number): void {
    this.started.push(thread)
    this.#skip(thread)
  }

  /** What the thread does next; nothing once it has ended. */
  next(thread: number): Action | undefined {
    return this.#ast.threads[thread]!.steps[this.#position[thread]!]?.action
  }

  /** Whether its next step looks at what it waits for as well. */
  awaits(thread: number): boolean {
    return this.#awaited[thread] !== undefined
  }

  /** Passes over steps that do not apply. */
  #skip(thread: number): void {
    const { steps } = this.#ast.threads[thread]!
    for (;;) {
      const step = steps[this.#position[thread]!]
      if (step === undefined) return
      const { action, when, skips = 1 } = step
      if (action.type === 'back') {
        this.#position[thread]! += this.#goesBack(thread, action) ? -action.steps : 1
        continue
      }
      const applies = when === undefined || when === this.#register[thread]
      const holds = action.type !== 'unlock' || this.#holders[action.lock] === thread
      if (applies && holds) {
        if (action.type === 'delay') this.#ends[thread] = this.#time + action.time
        return
      }
      this.#position[thread]! += applies ? 1 : skips
    }
  }

  #goesBack(thread: number, { while: predicate, most }: Action & { type: 'back' }): boolean {
    if (!satisfies(predicate, this.#register[thread]!)) return false
    if (most === undefined) return true
    const at = this.#position[thread]!
    const before = this.#gone[thread]![at] ?? 0
    if (before === most) return false
    this.#gone[thread] = Object.assign([...this.#gone[thread]!], { [at]: before + 1 })
    return true
  }

  /** All that decides what can come next, if no thread waits in a loop. */
  get state(): string {
    return JSON.stringify([this.#variables, this.#holders, this.#raised, this.#position, this.#register, this.started, this.#time, this.#ends, this.#gone])
  }
}

function filled<T>(length: number, value: T): T[] {
  return Array.from({ length }, () => value)
}

type Kind = 'read' | 'write' | 'change'

/** What a step has accessed so far: variables by their number, the rest as it will stand in the form. */
interface Accesses {
  readonly memory: Map<number, Kind>
  readonly other: Map<string, string>
}

/** Two kinds of access of a variable in one step depend on whatever a write depends on. */
function note({ memory }: Accesses, variable: number, kind: Kind): void {
  const before = memory.get(variable)
  memory.set(variable, before === undefined || before === kind ? kind : 'write')
}
