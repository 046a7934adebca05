import { Array, Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { property } from '../execution/keys.ts'
import { asRuntime } from '../execution/replaced-tools.ts'
import { running } from '../execution/running.ts'
import { boundOf } from './bound.ts'
import { kindOf, standsForPlatform } from './function-kinds.ts'
import type { Fn } from './handler.ts'
import { isOfLibrary, isPassingOn } from './mock-library.ts'
import { CALLS, isMock, type Mock } from './mocks.ts'
import { asksForOrderOfMocks, calledAmongMocks, numbersLikeFirst } from './order-of-mocks.ts'
import { beforeRestored, originalOf } from './spies.ts'

/** What it does when it is called, the answers among it that are used up by one call. */
const IMPLEMENTATION = property('implementation')

/** Of each call a mock writes this down after the call itself, and asks nobody: who asks for the list is told of. */
const ORDER = 'invocationCallOrder'

const callLists = ['calls', 'contexts', 'instances', ORDER, 'results', 'settledResults'] as const

const known = new WeakMap<object, KnownMock>()

/** From now on the mock tells of its calls, whoever makes them, and an exploration puts back what they change. */
export function knowMock<T>(mock: T): T {
  if (isMock(mock)) knownMock(mock)
  return mock
}

/** What is known of a mock. */
export function knownMock(mock: Mock & Fn): KnownMock {
  let found = known.get(mock)
  if (found) found.watch()
  else known.set(mock, (found = new KnownMock(mock)))
  return found
}

/** A function that tells nothing of what it does, and is not one that the library of mocks has made: `vi.fn(map.get)`. */
function isUntold(implementation: unknown): implementation is Fn {
  return typeof implementation === 'function' && kindOf(implementation as Fn) !== 'own' && boundOf(implementation) === undefined && !isOfLibrary(implementation)
}

type StandIn = (fn: Fn) => Fn

let standIn: StandIn = (fn) => fn

/** What mocks call in the place of a function that tells nothing by itself. */
export function mocksCall(by: StandIn): void {
  standIn = by
}

/** All that `mock.mockReset()` and its like are: what they change they tell by these. */
const changing = ['mockImplementation', 'mockImplementationOnce', 'mockClear', 'mockReset', 'mockRestore', 'withImplementation'] as const

/** A mock whose calls and changes are told. */
export class KnownMock {
  readonly #mock: Mock & Fn
  readonly #native = new Map<string, Fn>()
  #order: unknown
  #implementation: unknown
  /** Answers for one call each, which Vitest hides: those that are still to come. */
  #once: unknown[] = []
  /** Of these, functions that tell nothing, by what Vitest has in their place. */
  readonly #untoldOnce = new WeakMap<object, Fn>()
  /** In which it was saved last. */
  #savedIn: Execution | undefined

  constructor(mock: Mock & Fn) {
    this.#mock = mock
    this.#implementation = this.#shownImplementation
    standsForPlatform(this.#asked as Fn)
    standsForPlatform(this.#setOrder as Fn)
    this.watch()
    for (const name of changing) this.#replace(name)
    this.#showWhatWasGiven()
    for (const name of Object.keys(mock).filter((key) => /^(?:getMock|mock|withImplementation$)/.test(key))) {
      const own: unknown = Reflect.getOwnPropertyDescriptor(mock, name)?.value
      if (typeof own === 'function') standsForPlatform(own as Fn)
    }
  }

  /** Jest makes new lists whenever a mock is cleared. */
  watch(): void {
    const lists = this.#mock.mock
    if (Reflect.getOwnPropertyDescriptor(lists, ORDER)?.get === this.#asked) return
    this.#setOrder(lists[ORDER])
    Object.defineProperty(lists, ORDER, { get: this.#asked, set: this.#setOrder, enumerable: true, configurable: true })
  }

  get #shownImplementation(): unknown {
    return this.#call('getMockImplementation')
  }

  /** What the next call does that tells nothing of it: of a spy, what it stands for; of any other, what it was given. */
  get untold(): { readonly fn: Fn; readonly isStoodFor: boolean } | undefined {
    if (this.#once.length > 0) return undefined
    const told = this.#shownImplementation
    const isStoodFor = told === undefined || isPassingOn(told)
    const fn = isStoodFor ? originalOf(this.#mock) : told
    return isUntold(fn) ? { fn, isStoodFor } : undefined
  }

  /** Calls the mock so that what it does is told. */
  callTold(fn: Fn, call: () => unknown): unknown {
    this.#call('mockImplementationOnce', standIn(fn))
    return call()
  }

  #showWhatWasGiven(): void {
    const own = Reflect.getOwnPropertyDescriptor(this.#mock, 'getMockImplementation')
    const native = own?.value as Fn | undefined
    if (typeof native !== 'function') return
    this.#native.set('getMockImplementation', native)
    const shown = (): unknown => {
      const implementation = Reflect.apply(native, this.#mock, []) as object | undefined
      return (implementation && this.#untoldOnce.get(implementation)) ?? implementation
    }
    Object.defineProperty(this.#mock, 'getMockImplementation', { ...own, value: shown })
  }

  /** What is to be called once: in the place of what tells nothing, what does. */
  #onceTold(given: unknown): unknown {
    if (!isUntold(given)) return given
    const told = standIn(given)
    this.#untoldOnce.set(told, given)
    return told
  }

  readonly #asked = (): unknown => {
    const { calls } = this.#mock.mock
    if (Array.isArray(calls) && Array.isArray(this.#order) && calls.length === this.#order.length + 1) asRuntime(this.#called)
    else if (running !== null) asRuntime(this.#isLookedAt)
    return this.#order
  }

  readonly #setOrder = (order: unknown): void => {
    this.#order = order
    numbersLikeFirst(order)
  }

  readonly #isLookedAt = (): void => asksForOrderOfMocks(running!, siteIn(running!))

  /** It is at the end of the mock's lists. Which call comes first matters to nobody until somebody looks there. */
  readonly #called = (): void => {
    const execution = running
    const usesUp = this.#once.length > 0
    if (execution !== null) {
      // The call itself is in the first of its lists already.
      this.#save(execution, { calls: 1 })
      const mock = execution.identities.of(this.#mock)
      const site = siteIn(execution)
      if (usesUp) execution.accesses.write(mock, IMPLEMENTATION, site, undefined)
      else execution.accesses.read(mock, IMPLEMENTATION, site, undefined)
      // Calls that look alike are told apart all the same.
      execution.accesses.append(mock, CALLS, site, {})
      calledAmongMocks(execution, site)
    }
    if (usesUp) this.#once.shift()
  }

  #replace(name: string): void {
    const native = Reflect.get(this.#mock, name) as Fn | undefined
    if (typeof native !== 'function') return
    this.#native.set(name, native)
    const told = (...given: unknown[]): unknown => asRuntime(() => {
      const args = name === 'mockImplementationOnce' ? [this.#onceTold(given[0])] : given
      if (running !== null) this.#changes(running, name)
      if (name === 'mockRestore') beforeRestored(this.#mock)
      if (name === 'mockImplementation') this.#implementation = args[0]
      if (name === 'mockImplementationOnce') this.#once.push(args[0])
      if (name === 'mockReset') this.#once = []
      const result = this.#withoutOnce(name, () => Reflect.apply(native, this.#mock, args) as unknown)
      if (name === 'mockReset') this.#implementation = this.#shownImplementation
      this.watch()
      return result
    })
    Object.defineProperties(told, Object.getOwnPropertyDescriptors(native))
    const own = Reflect.getOwnPropertyDescriptor(this.#mock, name)!
    Object.defineProperty(this.#mock, name, { ...own, value: told })
  }

  /** While another implementation is in its place, there are no answers for one call. */
  #withoutOnce(name: string, run: () => unknown): unknown {
    if (name !== 'withImplementation') return run()
    const once = this.#once
    this.#once = []
    const result = run()
    const putBack = (): void => {
      this.#once = once
    }
    if (result instanceof Promise) void result.then(putBack, putBack)
    else putBack()
    return result
  }

  #changes(execution: Execution, name: string): void {
    this.#save(execution, { calls: 0 })
    const mock = execution.identities.of(this.#mock)
    const site = siteIn(execution)
    if (name !== 'mockClear') execution.accesses.write(mock, IMPLEMENTATION, site, undefined)
    if (name === 'mockClear' || name === 'mockReset' || name === 'mockRestore') execution.accesses.write(mock, CALLS, site, undefined)
  }

  /** Before it changes for the first time in an execution. `calls`: so many have been added to the first list. */
  #save(execution: Execution, { calls }: { readonly calls: number }): void {
    if (this.#savedIn === execution) return
    this.#savedIn = execution
    if (execution.identities.age(this.#mock) === 'of this execution') return
    const lists = callLists.flatMap((name) => {
      const list = name === ORDER ? this.#order : this.#mock.mock[name]
      return Array.isArray(list) ? [{ name, list: list as unknown[], length: list.length - (name === 'calls' ? calls : 0) }] : []
    })
    const [implementation, once, name] = [this.#implementation, [...this.#once], this.#call('getMockName')]
    execution.journal.change(() => {
      if (implementation !== this.#implementation || once.length !== this.#once.length || once.some((one, i) => one !== this.#once[i])) this.#implement(implementation, once)
      if (this.#call('getMockName') !== name) this.#call('mockName', name)
      this.watch()
      for (const { name: key, list, length } of lists) {
        list.length = length
        Reflect.set(this.#mock.mock, key, list)
      }
    })
  }

  #implement(implementation: unknown, once: readonly unknown[]): void {
    this.#call('mockReset')
    this.#call('mockImplementation', implementation)
    for (const one of once) this.#call('mockImplementationOnce', one)
    this.#implementation = implementation
    this.#once = [...once]
  }

  #call(name: string, ...args: unknown[]): unknown {
    return Reflect.apply(this.#native.get(name) ?? (Reflect.get(this.#mock, name) as Fn), this.#mock, args)
  }
}

function siteIn(execution: Execution): SiteId {
  return execution.here
}
