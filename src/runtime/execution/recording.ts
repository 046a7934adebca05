import type { SiteId } from '../../engine/ids.ts'
import { Object } from '../../engine/intrinsics.ts'
import type { ExecutionOrder } from '../../engine/index.ts'
import type { Identities, ObjectId } from './identity.ts'
import { property } from './keys.ts'
import { continuedCalls, type ContinuedCalls } from './continued-calls.ts'
import { linesOfControl } from './lines-of-control.ts'
import { OwnerNames } from './owner-names.ts'
import type { RecordedAccess, RecordedCall as ToldCall, RecordedExecution, RecordedStatement } from './recorded-execution.ts'
import { recordedKey, type RecordedKey } from './recorded-key.ts'
import { targetOf } from './proxies.ts'
import { SetterPairs } from './setter-pairs.ts'
import { CallSites } from './call-sites.ts'
import { isInPackage, packageOf, placeOf, type SourcePlace } from './sources.ts'
import type { ToldAccess, Witness } from './told-access.ts'
import { functionName, recordedValue, type RecordedValue } from './values.ts'

/** An async call, to the recorder. */
interface RecordedCall {
  readonly name: string
  readonly process: { readonly id: number } | undefined
  /** When it begins: where its function is written. */
  readonly site: SiteId
  /** The call within whose step it began. */
  readonly caller: RecordedCall | undefined
}

type CalledFrom = Omit<ToldCall, 'caller'> & Pick<RecordedCall, 'caller'>

/** An access as long as its step runs: the call has no process yet, the object perhaps no name. */
interface SeenAccess {
  readonly told: ToldAccess
  readonly value: RecordedValue
  /** What has no name yet may get one. */
  readonly object: object | undefined
  readonly member: RecordedValue | undefined
  readonly call: RecordedCall | undefined
  readonly transaction: number | undefined
  readonly statement: RecordedStatement | undefined
  /** What these bytes are to a reader. */
  readonly number: NumberInBytes | undefined
  readonly used: UsedProperty | undefined
  /** The property by whose use in the user's own code this code of a package runs, of whichever object. */
  readonly asked: UsedProperty | undefined
  readonly isOfOpaque: boolean
  /** The call in the user's own code by which this code of a package runs, and whether it returns what is found here. */
  readonly from: CallOfPackage | undefined
  /** Of the user's own code: where code of another file has called it. */
  readonly caller: SiteId | undefined
  callProcess: number | undefined
  /** It is told by what comes after it. */
  isWithheld?: true
}

/** A number in bytes, as one operation accesses it: an element of a typed array, or what a view has from an offset on; `state`: many. */
export interface NumberInBytes {
  readonly view: ObjectId
  readonly key: Extract<RecordedKey, { readonly kind: 'element' | 'byte' | 'state' }>
  readonly value: unknown
}

/** A property that is read or assigned, where code runs for that: an accessor of the object, or a trap of its Proxy. */
export interface UsedProperty {
  /** Of a Proxy its target. */
  readonly object: object
  readonly name: PropertyKey
  readonly site: SiteId
  /** What it is assigned, in a list of one. */
  readonly assigned?: readonly [unknown] | undefined
}

/** A call that is written in the user's own code, of a function in a package. */
interface CallOfPackage {
  readonly site: SiteId
  /** What was read last of what it has returned. */
  answer?: SeenAccess | undefined
}

interface SeenStep {
  readonly process: number
  readonly site: SiteId
  readonly accesses: SeenAccess[]
  readonly spawned: number[]
  readonly spawnedAfter: number[]
  /** Those that the code of a call has spawned: its process and it, or what it has asked for. */
  readonly spawnedBy: { readonly process: number; readonly call: RecordedCall }[]
  /** Async calls, how many accesses came before each, where it is written, or 0, and where its function is. */
  readonly calls: { readonly call: RecordedCall; readonly after: number; readonly site: SiteId; readonly code: SiteId; /** Where code of another file has called it, or what has. */ readonly from: SiteId | undefined }[]
  readonly begun: { readonly call: RecordedCall; readonly site: SiteId }[]
  /** Whose code ran first in it. */
  first: RecordedCall | undefined
  readonly begunWith: { readonly call: RecordedCall; readonly args: readonly RecordedValue[] }[]
  readonly time: number | undefined
  statement?: RecordedStatement
}

/** What is known of an execution when it has ended. */
interface Finished {
  /** The line of control that each process is of. */
  readonly lines: readonly number[]
  readonly processOf: (access: SeenAccess) => number | undefined
  /** What a reader calls an object. */
  readonly nameOf: (id: ObjectId) => string
  /** The number of a call: what asks a server does so for the call that has asked. */
  readonly within: (call: RecordedCall | undefined) => number | undefined
}

/** Writes down one execution, for its explanation. Nothing of the user's runs for it. */
export class Recorder implements Witness {
  readonly #steps: SeenStep[] = []
  readonly #names: string[] = []
  readonly #standsFor: (number | undefined)[] = []
  readonly #begunAt: (SourcePlace | undefined)[] = []
  readonly #begunWith: (readonly RecordedValue[] | undefined)[] = []
  readonly #calledBy: (number | undefined)[] = []
  readonly #begunBy: (RecordedCall | undefined)[] = []
  readonly #callOf: (RecordedCall | undefined)[] = []
  /** How many steps there were when code of the call ran first. */
  readonly #begunIn = new Map<RecordedCall, number>()
  #call: RecordedCall | undefined
  /** The function that is about to run, if that is known. */
  #called: { readonly name: string; readonly args: readonly unknown[]; readonly site: SiteId } | undefined
  readonly #identities: Identities
  readonly #unnamed = new Map<object, ObjectId>()
  /** What objects are called. */
  readonly owners: OwnerNames
  /** Values that packages keep for the user's code. */
  readonly pairs: SetterPairs
  #time: number | undefined
  /** Of a database: what is accessed now belongs to it. */
  #transaction: number | undefined
  #statement: RecordedStatement | undefined
  #number: NumberInBytes | undefined
  #isOfOpaque = false
  /** The outermost first. */
  readonly #used: UsedProperty[] = []
  readonly #uses = new Map<UsedProperty, number>()
  readonly #transactions = new Map<object, number>()

  constructor(identities: Identities) {
    this.#identities = identities
    this.owners = new OwnerNames(identities)
    this.pairs = new SetterPairs(identities, this)
  }

  #joinsTimers = false
  readonly #processOf = new Map<RecordedCall, number>()

  /** A step is an event, and timers fire only when nothing else is left: who waits for one goes on in its event. */
  joinTimers(): void {
    this.#joinsTimers = true
  }

  /** The call whose code runs now. */
  get call(): RecordedCall | undefined {
    return this.#call
  }

  set call(call: RecordedCall | undefined) {
    this.#call = call
    if (!call) return
    if (!this.#begunIn.has(call)) this.#begunIn.set(call, this.#steps.length)
    const step = this.#steps.at(-1)
    if (step) step.first ??= call
  }

  step(process: number, site: SiteId): void {
    this.#steps.push({ process, site, accesses: [], spawned: [], spawnedAfter: [], spawnedBy: [], calls: [], begun: [], begunWith: [], first: undefined, time: this.#time })
    this.#time = undefined
  }

  spawned(process: number, name: string, standsFor?: number): void {
    this.#names[process] = name
    this.#standsFor[process] = standsFor
    const step = this.#steps.at(-1)
    step?.spawned.push(process)
    step?.spawnedAfter.push(step.accesses.length)
    this.#begunBy[process] = this.call
    if (this.call) step?.spawnedBy.push({ process, call: this.call })
  }

  barrier(time: number): void {
    this.#time = time
  }

  /** The running step sends or ends a statement: of a transaction, if this object stands for one. */
  statement(statement: RecordedStatement, transaction?: object): void {
    const step = this.#steps.at(-1)
    if (step) step.statement ??= statement
    this.#statement = statement
    if (transaction && !this.#transactions.has(transaction)) this.#transactions.set(transaction, this.#transactions.size)
    this.#transaction = transaction && this.#transactions.get(transaction)
  }

  /** What is told from now on has nothing to do with it. */
  statementIsOver(): void {
    this.#transaction = this.#statement = undefined
  }

  /** Bytes are accessed that are a number to a reader. */
  accessesNumber(number: NumberInBytes, access: () => void): void {
    const around = this.#number
    this.#number = around ?? number
    access()
    this.#number = around
  }

  /** What `use` accesses of the object itself is an access of this property to whoever does not know that code. */
  uses<T>(used: UsedProperty, use: () => T): T {
    this.#used.push(used)
    this.#uses.set(used, this.#uses.size)
    try {
      const from = this.accessCount
      const result = use()
      if (!isInPackage(used.site)) this.#noteUse(used, result, from)
      return result
    } finally {
      this.#used.pop()
    }
  }

  /** What is behind an accessor, or a trap, may be another object's to the package. The one thing that it looks at and returns is the property to its user, and so is the one that gets what the property is assigned. */
  #noteUse(used: UsedProperty, result: unknown, from: number): void {
    const object = this.#identities.known(used.object)
    if (object === undefined) return
    this.owners.keptAs(used.object, receiverOf(used.site, String(used.name)))
    const inside = (this.#steps.at(-1)?.accesses.slice(from) ?? []).map(({ told }) => told).filter((told) => told.key.kind !== 'settled' && isInPackage(told.site))
    const { assigned } = used
    const value: unknown = assigned ? assigned[0] : result
    const isLast = ({ location, value: last }: { readonly location: number; readonly value: unknown }): boolean => inside.every((told) => told.kind === 'read' || told.location !== location || !('value' in told) || told.value === last)
    const shown = inside.filter((told) => 'value' in told && told.value === value && (assigned ? told.kind !== 'read' && isLast(told) : told.kind === 'read'))
    if (shown.length > 0 && shown.every(({ object: own }) => own !== object)) this.owners.mayBeShownAs(shown.map(({ location }) => location), { object, name: used.name }, { isPlain: isPlain(value) })
  }

  /** Calls that run now and are written in the user's own code, the outermost first. */
  readonly #callsOfUser: CallOfPackage[] = []
  readonly #sites = new CallSites()
  #depth = 0

  /** Whether what runs within as many calls is still told apart. */
  get isDeep(): boolean {
    return this.#depth >= deepestCall
  }

  /** A function is called there. */
  calledAt<T>(site: SiteId, call: () => T, receiver?: unknown): T {
    const own = isInPackage(site) ? undefined : { site, answer: undefined }
    if (own && typeof receiver === 'object' && receiver !== null) this.owners.keptAs(receiver, receiverOf(site))
    if (own) this.#callsOfUser.push(own)
    const from = this.accessCount
    this.#depth++
    this.#sites.enter(site)
    try {
      const result = call()
      if (own) this.#keepAs(result, placeOf(site)?.name)
      if (own) this.#noteAnswer(own, result, from)
      return result
    } finally {
      this.#depth--
      this.#sites.leave()
      if (own) this.#callsOfUser.pop()
    }
  }

  /** What a function that the user's own code has from a package keeps, as a signal does that is asked by a call, goes by its name. */
  #keepAs(result: unknown, name: string | undefined): void {
    if (name === undefined || (typeof result !== 'object' && typeof result !== 'function') || result === null) return
    if (typeof result === 'object') return this.owners.keptAs(result, name)
    for (const key of Object.getOwnPropertySymbols(result)) {
      const state: unknown = Object.getOwnPropertyDescriptor(result, key)?.value
      if (typeof state === 'object' && state !== null) this.owners.keptAs(state, name)
    }
  }

  /** What code of a package has read last and returns, and does nothing else, is what it keeps for whoever has asked. */
  #noteAnswer(call: CallOfPackage, result: unknown, from: number): void {
    if (typeof result !== 'object' || result === null) return
    const own = this.#steps.at(-1)?.accesses.slice(from).filter((access) => access.from === call) ?? []
    if (own.every(({ told }) => told.kind === 'read')) call.answer = own.findLast(({ object }) => object === result)
  }

  /** What is told meanwhile is done by code that is not instrumented, wherever it was called. */
  tellsOfOpaque(tell: () => void): void {
    const around = this.#isOfOpaque
    this.#isOfOpaque = true
    tell()
    this.#isOfOpaque = around
  }

  /** What was to be told of an answer is told. */
  endAnswer(): void {
    this.call = undefined
    this.statementIsOver()
  }

  /** A function of instrumented code is called with these arguments. */
  calls(fn: object, args: readonly unknown[], site: SiteId): void {
    this.#called = { name: functionName(fn), args, site }
  }

  /** A call begins. Where it is written tells the function that was looked up for it last, if that has its name. */
  began(call: RecordedCall): void {
    const step = this.#steps.at(-1)
    const called = this.#called?.name === call.name ? this.#called : undefined
    if (called) step?.begunWith.push({ call, args: called.args.map((arg) => this.#value(arg)) })
    this.#called = undefined
    const named = step?.accesses.findLast(({ told, value }) => told.kind === 'read' && value.type === 'function' && value.text === `[function ${call.name}]`)
    if (named) step!.begun.push({ call, site: named.told.site })
    step?.calls.push({ call, after: step.accesses.length, site: called?.site ?? (0 as SiteId), code: call.site, from: this.#sites.callerOf(call.site as SiteId) })
  }

  /** The calls of the step that go on have their processes now. */
  endStep(ordinal: (process: number) => number): void {
    for (const { call, after } of this.#steps.at(-1)?.calls ?? []) {
      if (!call.process || call.process.id < 0) continue
      const [process, caller] = [ordinal(call.process.id), placed(call.caller)]
      if (caller && caller !== call.process) this.#calledBy[process] ??= ordinal(caller.id)
      // Another call may go on as its caller's process.
      if (this.#isNamed(process, call)) this.#callOf[process] ??= call
      this.#beganAfter(process, after)
    }
    for (const { process, call } of this.#steps.at(-1)?.spawnedBy ?? []) {
      const caller = placed(call)
      if (caller && ordinal(caller.id) !== process) this.#calledBy[process] ??= ordinal(caller.id)
    }
    for (const { call, site } of this.#steps.at(-1)?.begun ?? []) {
      const place = placeOf(site)
      if (call.process && call.process.id >= 0 && place?.text.endsWith(')')) this.#begunAt[ordinal(call.process.id)] = place
    }
    for (const { call, args } of this.#steps.at(-1)?.begunWith ?? []) {
      const process = call.process && call.process.id >= 0 ? ordinal(call.process.id) : undefined
      if (process !== undefined && this.#isNamed(process, call)) this.#begunWith[process] ??= args
    }
    for (const { call } of this.#steps.at(-1)?.accesses ?? []) this.#placeOf(call, ordinal)
    for (const access of this.#steps.at(-1)?.accesses ?? []) {
      // A call that has ended within its caller's step belongs to its caller; one that goes on in somebody else's event, to that.
      const process = placed(access.call, (call) => (this.#begunIn.get(call) ?? Infinity) < this.#steps.length)
      if (process) access.callProcess = ordinal(process.id)
    }
    this.call = undefined
  }

  /** A call, and those within which it began, may have processes by now. */
  #placeOf(call: RecordedCall | undefined, ordinal: (process: number) => number): void {
    for (let one = this.#joinsTimers ? call : undefined; one && !this.#processOf.has(one); one = one.caller) if (one.process && one.process.id >= 0) this.#processOf.set(one, ordinal(one.process.id))
  }

  #isNamed(process: number, { name }: RecordedCall): boolean {
    return this.#names[process]?.replace(/#\d+$/, '') === name
  }

  /** A call has its process only at the end of the step in which it began. */
  #beganAfter(process: number, after: number): void {
    const { spawned, spawnedAfter } = this.#steps.at(-1)!
    const position = spawned.indexOf(process)
    if (position >= 0 && spawnedAfter[position]! > after) spawnedAfter[position] = after
  }

  access(told: ToldAccess): void {
    const number = told.key.kind === 'byte' ? this.#number : undefined
    const found = number ? number.value : 'value' in told ? told.value : undefined
    const value = this.#value(found)
    const named = value.identity ?? (told.key.kind === 'property' || told.key.kind === 'variable' ? this.#targetOf(found) : undefined)
    if (named !== undefined) this.owners.found(named, told.object, told.key)
    const member = 'member' in told ? this.#value(told.member) : undefined
    const used = this.#usedFor(told)
    const isOfPackage = isInPackage(told.site)
    if (used) this.owners.keepsValue(told.object)
    this.owners.usedBy(told.object, used || !isOfPackage ? 'user' : 'package')
    this.#steps.at(-1)?.accesses.push({
      told,
      used,
      asked: isOfPackage && this.#used.length > 0 ? this.#used.find(({ site }) => !isInPackage(site)) : undefined,
      value,
      object: typeof found === 'object' && found !== null ? found : undefined,
      member,
      call: this.call,
      transaction: this.#transaction,
      statement: this.#statement,
      number,
      isOfOpaque: this.#isOfOpaque,
      from: told.key.kind === 'settled' || isOfPackage ? this.#callsOfUser.at(-1) : undefined,
      caller: isOfPackage ? undefined : this.#sites.callerOf(told.site),
      callProcess: undefined,
    })
  }

  get accessCount(): number {
    return this.#steps.at(-1)?.accesses.length ?? 0
  }

  accessesFrom(number: number): readonly ToldAccess[] {
    return (this.#steps.at(-1)?.accesses ?? []).slice(number).map(({ told }) => told)
  }

  withhold(from: number, to: number): void {
    for (const access of this.#steps.at(-1)?.accesses.slice(from, to) ?? []) access.isWithheld = true
  }

  /** The property of the object that this is an access of to whoever uses it from outside of its package. */
  #usedFor({ object, site }: ToldAccess): UsedProperty | undefined {
    if (this.#used.length === 0) return undefined
    const used = this.#used.find((one) => this.#identities.known(one.object) === object)
    const own = used && packageOf(site)
    return own !== undefined && packageOf(used!.site) !== own ? used : undefined
  }

  /** A Proxy is called what its target is. */
  #targetOf(value: unknown): ObjectId | undefined {
    const target = typeof value === 'object' && value !== null ? targetOf(value) : undefined
    return target && this.#identities.known(target)
  }

  #value(value: unknown): RecordedValue {
    return recordedValue(value, typeof value === 'object' && value !== null ? this.#identities.known(value) : undefined)
  }

  #exhausted: string | undefined

  /** Somebody has waited for a connection of a pool for too long: the last one counts. */
  exhausts(text: string): void {
    this.#exhausted = text
  }

  readonly #cleared: { readonly timer: number; readonly step: number; readonly site: SiteId }[] = []

  /** A timer is cleared that has not fired. */
  clears(timer: number, site: SiteId): void {
    if (this.#steps.length > 0) this.#cleared.push({ timer, step: this.#steps.length - 1, site })
  }

  readonly #clearedNothing: number[] = []

  /** Somebody clears what is no timer yet. */
  clearsNothing(): void {
    if (this.#steps.length > 0) this.#clearedNothing.push(this.#steps.length - 1)
  }

  #unheard: SiteId | undefined

  /** A promise made there was rejected, and nothing handles that: the first one is the failure. */
  isUnheard(site: SiteId): void {
    this.#unheard ??= site
  }

  /** The execution has ended: everything that will be known of names is known now. */
  finish(order: ExecutionOrder): RecordedExecution {
    const calls = this.#calls()
    const continued = this.#joinsTimers ? continuedCalls(this.#steps, { names: this.#names, begunBy: this.#begunBy, calls: calls.keys(), processOf: (call) => this.#processOf.get(call) }) : undefined
    const { lines, names } = linesOfControl(this.#steps, continued?.names ?? this.#names, this.#standsFor)
    const processOf = ({ call, callProcess }: SeenAccess): number | undefined => (continued && joinedProcess(call, continued)) ?? callProcess
    const numbers = new Map([...calls.keys()].map((call, number) => [call, number]))
    const within = (call: RecordedCall | undefined): number | undefined => call && (numbers.get(call) ?? within(call.caller))
    const finished: Finished = { lines, processOf, within, nameOf: this.owners.finalNames() }
    const steps = this.#steps.map(({ process, site, first, accesses, spawned, spawnedAfter, time, statement }) => ({
      process: lines[process]!,
      place: placeOf(site),
      within: within(first),
      accesses: accesses.map((access) => this.#recorded(access, finished)),
      spawned,
      spawnedAfter,
      time,
      ...(statement && { statement }),
    }))
    const begunWith = this.#begunWith.map((args) => args?.map((arg) => this.#argument(arg)).join(', '))
    const calledBy: (number | undefined)[] = []
    for (const [process, caller] of this.#calledBy.entries()) if (caller !== undefined) calledBy[lines[process]!] ??= lines[caller]!
    const callOf: (number | undefined)[] = []
    for (const [process, call] of [...this.#callOf.entries(), ...(continued?.callOf ?? [])]) if (call) callOf[lines[process]!] ??= numbers.get(call)
    const told = [...calls.values()].map(({ caller, ...call }): ToldCall => ({ ...call, caller: caller && numbers.get(caller) }))
    return { steps, names, begunAt: this.#begunAt, begunWith, calledBy, calls: told, callOf, begunBy: this.#begunBy.map((call) => call && numbers.get(call)), ...(this.#exhausted !== undefined && { exhausted: this.#exhausted }), ...(this.#cleared.length > 0 && { cleared: this.#cleared.map(({ timer, step, site }) => ({ timer: lines[timer]!, step, place: placeOf(site) })) }), ...(this.#clearedNothing.length > 0 && { clearedNothing: [...this.#clearedNothing] }), ...(this.#unheard !== undefined && { unheard: placeOf(this.#unheard) }), order }
  }

  /** Where each call began, and where it was written, as far as that is known. */
  #calls(): Map<RecordedCall, CalledFrom> {
    const calls = new Map<RecordedCall, CalledFrom>()
    for (const [step, { calls: begins }] of this.#steps.entries()) {
      for (const { call, after, site, code, from } of begins) calls.set(call, { name: call.name, caller: call.caller, step, after, place: placeOf(site), code: placeOf(code), ...(from !== undefined && { calledFrom: placeOf(from) }) })
    }
    return calls
  }

  #recorded(access: SeenAccess, { lines, processOf, nameOf, within }: Finished): RecordedAccess {
    const { told, value, object: found, member, call, transaction, statement, number, used: ofObject, asked, isOfOpaque, from, caller, isWithheld } = access
    const callProcess = processOf(access)
    const { kind, location, object, key, site } = told
    const shown = this.owners.propertyAt(location)
    const used = ofObject ?? (shown && asked?.name === shown.name && this.#identities.known(asked.object) === shown.object ? asked : undefined)
    const held = shown || used || number || key.kind === 'variable' ? undefined : this.owners.heldAs(object, key)
    // Of the many that there may be each has what it needs, and one shape for most.
    const recorded: { -readonly [K in keyof RecordedAccess]: RecordedAccess[K] } = {
      kind: isWithheld ? 'wait' : kind,
      location,
      place: placeOf(site),
      object: shown?.object ?? object,
      owner: shown ? nameOf(shown.object) : key.kind === 'variable' ? '' : (held?.name ?? nameOf(number ? number.view : object)),
      key: shown ? recordedKey(property(shown.name), { object: undefined, nameOf }) : number ? number.key : recordedKey(key, { object: this.#identities.objects?.get(object), nameOf }),
      value: found && value.identity === undefined ? { ...value, identity: this.#identityOf(found) } : value,
      call: call?.name,
      within: within(call),
      callProcess: callProcess === undefined ? undefined : lines[callProcess],
    }
    if (held) recorded.inside = held.inside
    if ('look' in told) recorded.look = told.look
    if ('found' in told) recorded.found = recordedValue(told.found, undefined)
    if (member) recorded.member = this.#named(member)
    if ('as' in told && told.as !== undefined) recorded.as = told.as
    if ('isGone' in told && told.isGone) recorded.isGone = true
    if ('doing' in told && told.doing !== undefined) recorded.doing = told.doing
    if (transaction !== undefined) recorded.transaction = transaction
    if (statement) recorded.statement = statement
    if (used) recorded.used = this.#use(used, nameOf)
    if (isOfOpaque) recorded.isOfOpaque = true
    if (from) recorded.calledAt = placeOf(from.site)
    if (caller !== undefined) recorded.calledFrom = placeOf(caller)
    if (from?.answer?.told === told) recorded.isAnswer = true
    return recorded
  }

  #use(used: UsedProperty, nameOf: (id: ObjectId) => string): NonNullable<RecordedAccess['used']> {
    const { name, site, assigned } = used
    return { place: placeOf(site), key: recordedKey(property(name), { object: undefined, nameOf }), number: this.#uses.get(used)!, ...(assigned && { assigned: this.#value(assigned[0]) }) }
  }

  /** Objects without a name have numbers of their own, below 0. */
  #identityOf(object: object): ObjectId {
    const known = this.#identities.known(object) ?? this.#unnamed.get(object)
    if (known !== undefined) return known
    const own = (-1 - this.#unnamed.size) as ObjectId
    this.#unnamed.set(object, own)
    return own
  }

  /** What does not show what is in it is called by its name. */
  #argument(arg: RecordedValue): string {
    return isClassName.test(arg.text) ? this.#named(arg).text : arg.text
  }

  /** What a reader calls an object, in place of what it looks like. */
  #named(member: RecordedValue): RecordedValue {
    const name = member.identity === undefined ? '' : this.owners.nameOf(member.identity)
    return name === '' || unnamed.has(name) ? member : { ...member, text: name }
  }
}

/** Of what is found in many a place. */
const isPlain = (value: unknown): boolean => value === undefined || value === null || typeof value === 'boolean' || value === 0 || value === 1

/** What the source calls the object of which a property is used there, or a method called: `total` in `this.total.value`. */
function receiverOf(site: SiteId, name?: string): string | undefined {
  const [, receiver, used] = /^(?:await )?(?:[\w$]+[.?!]+)*?#?([\w$]+)[?!]*\.#?([\w$]+)(?:\(|$)/.exec(placeOf(site)?.text ?? '') ?? []
  return receiver === 'this' || (name !== undefined && used !== name) ? undefined : receiver
}

/** So many calls within one another: each takes room on the stack. */
const deepestCall = 200

/** Where the code of a call that has no process is shown: of itself, or of the call within which it began. */
function joinedProcess(call: RecordedCall | undefined, { calls }: ContinuedCalls<RecordedCall>): number | undefined {
  for (let one = call; one && !(one.process && one.process.id >= 0); one = one.caller) if (calls.has(one)) return calls.get(one)
  return undefined
}

/** The process of a call, or of the call within which it began, unless that was before. */
function placed(call: RecordedCall | undefined, isFromBefore: (call: RecordedCall) => boolean = () => false): RecordedCall['process'] {
  let one = call
  while (one && !(one.process && one.process.id >= 0)) one = isFromBefore(one) ? undefined : one.caller
  return one?.process
}

/** What an object is called that has no name of its own. */
const unnamed = new Set(['object', 'array', 'map', 'set', 'function'])

/** `[Account]` */
const isClassName = /^\[[A-Z]\w*\]$/
