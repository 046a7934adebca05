import { Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { WINDOW } from '../execution/assumptions.ts'
import { DocumentContents, otherDocumentOf } from '../execution/document.ts'
import { isOfEnvironment, isProxyOfEnvironment, mayHaveEnvironment } from '../execution/environment.ts'
import type { Execution } from '../execution/execution.ts'
import type { ObjectId } from '../execution/identity.ts'
import { ROWS, STATE } from '../execution/keys.ts'
import { namedObject } from '../execution/named-objects.ts'
import { rawOf } from '../execution/proxies.ts'
import { storeName } from '../execution/stored-items.ts'
import { functionName } from '../execution/values.ts'
import { kindOf } from './function-kinds.ts'
import { callText } from './environment-text.ts'
import type { Fn } from './handler.ts'

export interface EnvironmentCall {
  readonly fn: Fn
  readonly receiver: unknown
  readonly args: readonly unknown[]
  readonly site: SiteId
}

/** Something of the test environment is looked at: a document, an element, what is stored unless that is told by itself. */
export function lookAtEnvironment(execution: Execution, site: SiteId, { atStored = true } = {}): void {
  const { accesses } = execution
  const compares = accesses.comparesValues
  // How often it is looked at says nothing.
  accesses.comparesValues = false
  accesses.read(named(execution), STATE, site, undefined)
  if (atStored) accesses.read(stored(execution), ROWS, site, undefined)
  accesses.comparesValues = compares
}

/** Something is stored, or no more: in whatever order names come and go, unless that is looked at. */
export function storing(execution: Execution, site: SiteId): void {
  execution.accesses.assign(stored(execution), ROWS, site, undefined)
}

const stored = (execution: Execution): ObjectId => namedObject(execution, 'what is stored')

/** Something of the test environment changes. @param doing what does it, for who reads that */
export function changeEnvironment(execution: Execution, site: SiteId, doing?: string): void {
  execution.accesses.write(named(execution), STATE, site, undefined, doing)
}

/** Code that is not instrumented runs, and may change the test environment if there is one. */
export function mayChangeEnvironment(execution: Execution, site: SiteId): void {
  if (mayHaveEnvironment() || !execution.identities.assumptions.windowless.has(WINDOW)) changeEnvironment(execution, site)
}

function named({ identities, accesses, recorder }: Execution): ObjectId {
  if (!mayHaveEnvironment() && identities.assumptions.windowless.lose(WINDOW)) accesses.startAnew()
  recorder?.owners.tell(identities.environment, () => 'the document')
  return identities.environment
}

/** A listener of the program that an execution adds is not called in the next one, by what is older: it is taken off again. */
export function listensInEnvironment({ identities, journal }: Execution, target: object, [type, listener, options]: readonly unknown[]): void {
  if (typeof listener !== 'function' || kindOf(listener as Fn) !== 'own' || identities.age(listener) === 'older') return
  const remove: unknown = Reflect.get(target, 'removeEventListener')
  if (typeof remove === 'function') journal.change(() => void Reflect.apply(remove as Fn, target, [type, listener, options]))
}

/** Whether a value is of the environment, or a Proxy of it, as its lists of elements are. */
export function isEnvironment(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const raw = rawOf(value)
  return raw === undefined ? storeName(value) !== undefined || isProxyOfEnvironment(value) : isOfEnvironment(raw)
}

const ofListeners = ['addEventListener', 'removeEventListener', 'dispatchEvent']

/** Whether a function that is called by its bare name is the window's, as the test runner has put it on the global object: what it does with listeners is the window's as well. */
export function isOfWindow(fn: Fn): boolean {
  return mayHaveEnvironment() && ofListeners.some((name) => Reflect.get(globalThis, name) === fn)
}

/** Methods of the environment that change nothing, by their names: what they answer is the same when they are called again. */
const looks = /^(?:get(?!Context)|has|query|closest$|contains$|matches$|compareDocumentPosition$|is[A-Z]|item$|namedItem$|entries$|keys$|values$|forEach$|key$|cloneNode$|toString$|lookup)/

/** A method of the environment is called, or a setter. */
export function callEnvironment(execution: Execution, { fn, receiver, args, site }: EnvironmentCall): void {
  if (looks.test(functionName(fn))) return lookAtEnvironment(execution, site)
  for (const object of [receiver, ...args]) keepDocument(execution, object)
  changeEnvironment(execution, site, execution.recorder && callText(fn, receiver, args))
}

/** Before something may change in the document of a window that the program has made: what stands there is put back after the execution. */
export function keepDocument(execution: Execution, object: unknown): void {
  const document = isEnvironment(object) ? otherDocumentOf(object) : undefined
  if (document !== undefined) execution.journal.part(document, STATE, () => restored(new DocumentContents(document)))
}

const restored = (contents: DocumentContents) => (): void => contents.restore()
