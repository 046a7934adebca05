import type { Execution } from '../execution/execution.ts'
import { hidesAccessor, inheritedMethodChanges, methodChanges } from './platform-methods.ts'

interface Redefinition {
  readonly key: PropertyKey
  readonly before: PropertyDescriptor | undefined
  readonly now: PropertyDescriptor | undefined
}

/** A property became something else, or came, or went: what is taken for granted of properties may not be so of this one. */
export function propertyRedefined(execution: Execution, object: object, { key, before, now }: Redefinition): void {
  if (typeof before?.value === 'function' || typeof now?.value === 'function') methodChanges(execution, object, key)
  if ((before === undefined) !== (now === undefined)) hidesAccessor(execution, object, key)
  const { identities, accesses } = execution
  // What others cannot have seen so far nobody has inherited from.
  const isAlike = isAssignable(before) === isAssignable(now) && isRemovable(before) === isRemovable(now) && before?.get === now?.get && before?.set === now?.set
  if (isAlike || identities.isOfRunningStep(identities.of(object))) return
  if (identities.assumptions.assignable.lose(key)) accesses.startAnew()
}

/** An object comes to inherit a property, or does so no longer. */
export function inheritedChanges(execution: Execution, name: PropertyKey, own: PropertyDescriptor): void {
  inheritedMethodChanges(execution, name, own.value)
  if (!isAssignable(own) && execution.identities.assumptions.assignable.lose(name)) execution.accesses.startAnew()
}

/** An object is kept from being extended. */
export function objectFixed(execution: Execution, object: object): void {
  const { identities, accesses } = execution
  if (!identities.isOfRunningStep(identities.of(object)) && identities.assumptions.extensible.lose('')) accesses.startAnew()
}

/** Whether an assignment to an object that inherits the property gives it a property of its own. */
function isAssignable(own: PropertyDescriptor | undefined): boolean {
  return own === undefined || own.writable === true
}

function isRemovable(own: PropertyDescriptor | undefined): boolean {
  return own?.configurable !== false
}
