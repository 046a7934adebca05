import { satisfies, valueOf, type Action, type Ast, type Part } from './ast.ts'

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
  #versions: number[]
  #holders: number[]
  #lockEvents: number[]
  #raised: boolean[]
  #raises: number[]
  #position: number[]
  #register: number[]
  #forms: string[]
  #time: number
  /** When the delay that the thread is at ends. */
  #ends: number[]

  constructor(ast: Ast, from?: Machine) {
    this.#ast = ast
    const { threads } = ast
    this.started = from ? from.started.slice() : []
    this.#variables = from ? from.#variables.slice() : filled(ast.variables, 0)
    this.#versions = from ? from.#versions.slice() : filled(ast.variables, 0)
    this.#holders = from ? from.#holders.slice() : filled(ast.locks, -1)
    this.#lockEvents = from ? from.#lockEvents.slice() : filled(ast.locks, 0)
    this.#raised = from ? from.#raised.slice() : filled(ast.signals, false)
    this.#raises = from ? from.#raises.slice() : filled(ast.signals, 0)
    this.#position = from ? from.#position.slice() : threads.map(() => 0)
    this.#register = from ? from.#register.slice() : threads.map(() => 0)
    this.#forms = from ? from.#forms.slice() : threads.map(() => '')
    this.#time = from ? from.#time : 0
    this.#ends = from ? from.#ends.slice() : threads.map(() => 0)
    if (from) return
    threads.forEach(({ spawned }, i) => {
      if (!spawned) this.#start(i)
    })
    this.#passTime()
  }

  copy(): Machine {
    return new Machine(this.#ast, this)
  }

  get form(): string {
    return this.#forms.join('|')
  }

  enabled(): number[] {
    return this.started.filter((thread) => this.isEnabled(thread))
  }

  isEnabled(thread: number): boolean {
    const action = this.#next(thread)
    if (action === undefined) return false
    switch (action.type) {
      case 'lock':
        return this.#holders[action.lock] === -1
      case 'until':
        return satisfies(action.predicate, this.#variables[action.variable]!)
      case 'await':
        return this.#raised[action.signal]!
      case 'atomic':
        return action.after === undefined || this.#raised[action.after]!
      case 'delay':
        return this.#ends[thread]! <= this.#time
      case 'join':
        return this.started.includes(action.thread) && this.#next(action.thread) === undefined
      default:
        return true
    }
  }

  step(thread: number): void {
    const action = this.#next(thread)!
    const accesses = new Map<string, string>()
    this.#act(thread, action, accesses)
    this.#position[thread]!++
    this.#skip(thread)
    this.#forms[thread] += `${[...accesses.values()].join(',')};`
    this.#passTime()
  }

  /** When nothing can run, the shortest delay ends. */
  #passTime(): void {
    if (this.enabled().length > 0) return
    const ends = this.started.filter((thread) => this.#next(thread)?.type === 'delay').map((thread) => this.#ends[thread]!)
    if (ends.length > 0) this.#time = Math.min(...ends)
  }

  #act(thread: number, action: Action, accesses: Map<string, string>): void {
    switch (action.type) {
      case 'read':
        return this.#get(thread, action.variable, accesses)
      case 'write':
        return this.#set(action.variable, valueOf(action.value, this.#register[thread]!), accesses)
      case 'add':
        return this.#set(action.variable, this.#variables[action.variable]! + 1, accesses)
      case 'swap':
        return this.#swap(thread, action, accesses)
      case 'atomic':
        return this.#parts(thread, action.body, accesses)
      case 'lock':
        this.#holders[action.lock] = thread
        accesses.set('lock', `l${action.lock}.${this.#lockEvents[action.lock]!++}`)
        return
      case 'unlock':
        this.#holders[action.lock] = -1
        accesses.set('lock', `l${action.lock}.${this.#lockEvents[action.lock]!++}`)
        return
      case 'until':
        return this.#get(thread, action.variable, accesses)
      case 'raise':
        return this.#raise(action.signal, accesses)
      case 'spawn':
        return this.#start(action.thread)
      case 'await':
      case 'delay':
      case 'join':
        return
      default:
        action satisfies never
    }
  }

  #parts(thread: number, parts: readonly Part[], accesses: Map<string, string>): void {
    for (const part of parts) {
      if (part.type === 'get') this.#get(thread, part.variable, accesses)
      else if (part.type === 'set') this.#set(part.variable, valueOf(part.value, this.#register[thread]!), accesses)
      else if (part.type === 'set-signal') this.#raise(part.signal, accesses)
      else if (this.#register[thread] === part.equals) this.#parts(thread, part.body, accesses)
    }
  }

  #get(thread: number, variable: number, accesses: Map<string, string>): void {
    this.#register[thread] = this.#variables[variable]!
    const location = `v${variable}`
    if (!accesses.has(location)) accesses.set(location, `r${variable}.${this.#versions[variable]}`)
  }

  #set(variable: number, value: number, accesses: Map<string, string>): void {
    this.#variables[variable] = value
    const location = `v${variable}`
    if (accesses.get(location)?.startsWith('w') !== true) {
      accesses.set(location, `w${variable}.${this.#versions[variable]!++}`)
    }
  }

  #swap(thread: number, action: Action & { type: 'swap' }, accesses: Map<string, string>): void {
    const succeeds = this.#variables[action.variable] === action.expected
    if (succeeds) this.#set(action.variable, action.next, accesses)
    else this.#get(thread, action.variable, accesses)
    this.#register[thread] = succeeds ? 1 : 0
  }

  #raise(signal: number, accesses: Map<string, string>): void {
    const location = `s${signal}`
    if (!this.#raised[signal]) {
      this.#raised[signal] = true
      accesses.set(location, `ws${signal}.${this.#raises[signal]!++}`)
    } else if (!accesses.has(location)) accesses.set(location, `rs${signal}.${this.#raises[signal]}`)
  }

  #start(thread: number): void {
    this.started.push(thread)
    this.#skip(thread)
  }

  #next(thread: number): Action | undefined {
    return this.#ast.threads[thread]!.steps[this.#position[thread]!]?.action
  }

  /** Passes over steps that do not apply. */
  #skip(thread: number): void {
    const { steps } = this.#ast.threads[thread]!
    for (;;) {
      const step = steps[this.#position[thread]!]
      if (step === undefined) return
      const { action, when } = step
      const applies = when === undefined || when === this.#register[thread]
      const holds = action.type !== 'unlock' || this.#holders[action.lock] === thread
      if (applies && holds) {
        if (action.type === 'delay') this.#ends[thread] = this.#time + action.time
        return
      }
      this.#position[thread]!++
    }
  }
}

function filled<T>(length: number, value: T): T[] {
  return Array.from({ length }, () => value)
}
