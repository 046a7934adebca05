import { Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { hasEnvironment, isOfEnvironment } from '../execution/environment.ts'
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

/** Something of the test environment changes, or may do so. Without an environment there is nothing to tell. @param doing what does it, for who reads that */
export function changeEnvironment(execution: Execution, site: SiteId, doing?: string): void {
  if (hasEnvironment()) execution.accesses.write(named(execution), STATE, site, undefined, doing)
}

function named({ identities, recorder }: Execution): ObjectId {
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
  return raw === undefined ? storeName(value) !== undefined : isOfEnvironment(raw)
}

/** Methods of the environment that change nothing, by their names: what they answer is the same when they are called again. */
const looks = /^(?:get(?!Context)|has|query|closest$|contains$|matches$|compareDocumentPosition$|is[A-Z]|item$|namedItem$|entries$|keys$|values$|forEach$|key$|cloneNode$|toString$|lookup)/

/** A method of the environment is called, or a setter. */
export function callEnvironment(execution: Execution, { fn, receiver, args, site }: EnvironmentCall): void {
  if (looks.test(functionName(fn))) lookAtEnvironment(execution, site)
  else changeEnvironment(execution, site, execution.recorder && callText(fn, receiver, args))
}
