import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { isDate } from '../execution/brands.ts'
import { STATE } from '../execution/keys.ts'
import { each, type Family, type Operation } from './family.ts'
import { beforeStateChange, changed, isObject, seen } from './telling.ts'

/** A Date has one location: its time. */

const looking = [
  ...Object.getOwnPropertyNames(Date.prototype).filter((name) => /^(get|to)/.test(name)), 'valueOf', Symbol.toPrimitive,
]
const changing = Object.getOwnPropertyNames(Date.prototype).filter((name) => name.startsWith('set') && name !== 'setTime')

const timeOf = Date.prototype.getTime

/** The time of a Date is looked at: by a method, a coercion, a comparison. */
export function lookAtDate(execution: Execution, date: Date, site: SiteId): void {
  if (isDate(date)) seen(execution, date, STATE, site, Reflect.apply(timeOf, date, []))
}

const look: Operation = (native) => (execution, receiver, args, site) => {
  if (isObject(receiver) && isDate(receiver)) lookAtDate(execution, receiver, site)
  return Reflect.apply(native, receiver, args as never[])
}

/** Sets a part of the time, and keeps the others. */
const change: Operation = (native) => (execution, receiver, args, site) => {
  if (isObject(receiver) && isDate(receiver)) beforeStateChange(execution, receiver)
  const time = Reflect.apply(native, receiver, args as never[])
  changed(execution, receiver as Date, STATE, site, time)
  return time
}

/** Sets all of the time, whatever it was. */
const assign: Operation = (native) => (execution, receiver, args, site) => {
  if (isObject(receiver) && isDate(receiver)) beforeStateChange(execution, receiver)
  const time = Reflect.apply(native, receiver, args as never[])
  execution.accesses.assign(execution.identities.of(receiver as Date), STATE, site, time)
  return time
}

export const dates: Family = { holder: Date.prototype, methods: each(looking, look) }

export const dateChanges: Family = {
  holder: Date.prototype,
  methods: { ...each(changing, change), setTime: assign },
  isWatched: true,
}
