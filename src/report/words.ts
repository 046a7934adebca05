import type { Access } from './accesses.ts'
import type { Labels } from './labels.ts'

/** As the beginning of a sentence. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** What an access did, after the name of who did it: `wrote 20`, `added "book"`. */
export function deedOf(access: Access, labels: Labels): string {
  const { kind, key } = access
  const value = labels.value(access)
  if (key.kind === 'handled') return kind === 'read' ? 'handled it' : 'rejected it'
  if (key.kind === 'fired') return timerDeed(access)
  if (isInside(access)) return kind === 'read' ? 'looked at it' : (done(access) ?? call(access, 'called') ?? 'changed it')
  if (isRemoval(access)) return 'removed it'
  switch (kind) {
    case 'read':
      return key.kind === 'settled' ? settlingDeed(access, labels) : `read ${value}`
    case 'write':
    case 'assign':
      if (key.kind === 'listeners') return `changed them to ${value}`
      if (isUpdater(access)) return `called ${access.place!.text}`
      if (isDispatch(access)) return `dispatched ${value}`
      return key.kind === 'order' ? sizeDeed(access) : `wrote ${value}`
    case 'increase':
      return `${isLess(access) ? 'decreased' : 'increased'} it to ${value}`
    case 'append':
      return `pushed ${value}`
    case 'insert':
      return `added ${memberOf(access)}`
    case 'remove':
      return `removed ${memberOf(access)}`
    case 'settle':
      return settlingDeed(access, labels)
    default:
      return kind satisfies never
  }
}

const sizeDeed = ({ value }: Access): string => (value.text === '0' ? 'emptied it' : `made it ${value.text}`)

const isLess = ({ value, found }: Access): boolean => found !== undefined && Number(value.text) < Number(found.text)

/** The same with the location in it: `wrote calls.length = 2`. */
export function deedElsewhere(access: Access, labels: Labels): string {
  const { kind, key } = access
  const value = labels.value(access)
  const label = labels.full(access)
  if (isInside(access)) return kind === 'read' ? `looked at ${label}` : (done(access) ?? call(access, 'called') ?? `changed ${label}`)
  if (isRemoval(access)) return `removed ${label}`
  switch (kind) {
    case 'read':
      return `read ${label} -> ${value}`
    case 'write':
    case 'assign':
      if (isUpdater(access)) return `called ${access.place!.text}`
      if (isDispatch(access)) return `dispatched ${value} to ${label}`
      return key.kind === 'listeners' ? `changed ${label} to ${value}` : `wrote ${label} = ${value}`
    case 'increase':
      return `${isLess(access) ? 'decreased' : 'increased'} ${label} to ${value}`
    case 'append':
      return `pushed ${value} to ${labels.owner(access)}`
    case 'insert':
      return `added ${memberOf(access)} to ${labels.owner(access)}`
    case 'remove':
      return `removed ${memberOf(access)} from ${labels.owner(access)}`
    case 'settle':
      return `settled ${label}`
    default:
      return kind satisfies never
  }
}

/** A row of a story: `read balance -> 100`. `from` is what the same step had found there. */
export function rowText(access: Access, { from, labels }: { readonly from: Access | undefined; readonly labels: Labels }): string {
  const { kind, key } = access
  const value = labels.value(access)
  const label = labels.short(access)
  const before = from?.value ?? access.found
  const found = before && labels.value({ ...access, value: before })
  if (access.command !== undefined) return commandRow(access, label)
  if (key.kind === 'handled') return kind === 'read' ? `handle the ${label}` : `reject ${labels.owner(access)}`
  if (key.kind === 'fired') return timerRow(access, label)
  if (isInside(access)) return kind === 'read' ? `look at ${label}` : (access.doing ?? call(access, 'call') ?? `change ${label}`)
  if (isRemoval(access)) return `remove ${label}`
  if (found !== undefined && isUpdater(access)) return `update ${label} ${found} by ${access.place!.text}`
  if (found !== undefined) return `update ${label} ${found} -> ${value}`
  switch (kind) {
    case 'read':
      return key.kind === 'settled' ? lookRow(access, label, labels) : `read ${label} -> ${value}`
    case 'write':
    case 'assign':
      return isDispatch(access) ? `dispatch ${value} to ${label}` : `write ${label} = ${value}`
    case 'increase':
      return `increase ${label} to ${value}`
    case 'append':
      return `push ${value} to ${labels.owner(access)}`
    case 'insert':
      return `add ${memberOf(access)} to ${labels.owner(access)}`
    case 'remove':
      return `remove ${memberOf(access)} from ${labels.owner(access)}`
    case 'settle':
      return `${settling(access)} ${label}${withValue(access, labels)}`
    default:
      return kind satisfies never
  }
}

/** `GET session:1 -> "ann"`, `DEL session:1` */
function commandRow({ command, kind, value }: Access, label: string): string {
  const done = `${command!.toUpperCase()} ${label}`
  if (kind === 'read') return `${done} -> ${value.text}`
  return value.type === 'null' || value.text === '""' ? done : `${done} = ${value.text}`
}

/** It tried to settle a promise that was settled already. */
export const isTooLate = ({ kind, key, as }: Access): boolean => kind === 'read' && key.kind === 'settled' && as !== undefined

/** What is there then a reducer makes of it. */
export const isDispatch = ({ key }: Access): boolean => key.kind === 'variable' && key.setter === 'dispatch'

/** What is there then is made of what is there before by a function: `setCount((n) => n + 1)`. */
export const isUpdater = ({ key, value, place }: Access): boolean => key.kind === 'variable' && key.setter !== undefined && value.type === 'function' && place !== undefined

/** What an object, or code that is not instrumented, keeps inside has no value that could be shown. */
export function isInside({ key, value }: Access): boolean {
  return key.kind === 'opaque' || ((key.kind === 'state' || key.kind === 'resource') && value.type === 'undefined')
}

/** It gets a value that is put there whatever was there before, as far as the access alone tells. */
export const isGiven = (access: Access): boolean => (access.kind === 'write' || access.kind === 'assign') && access.key.kind !== 'order' && !isInside(access) && !isUpdater(access)

/** It is gone; hardly anybody keeps `undefined` under a key of a Map. */
export const isRemoval = ({ kind, key, value, isGone }: Access): boolean => isGone || ((kind === 'write' || kind === 'assign') && key.kind === 'entry' && value.type === 'undefined')

const done = ({ doing }: Access): string | undefined => doing && `did ${doing}`

/** Of code that is not instrumented: what was called, as far as the source says it. */
function call({ key, place }: Access, verb: 'call' | 'called'): string | undefined {
  if (key.kind !== 'opaque' || place === undefined) return undefined
  const callee = /^(?:await )?((?:new )?[\w$.#?[\]'"]+)\(/.exec(place.text)?.[1]
  return callee && `${verb} ${callee}`
}

function memberOf({ member, key }: Access): string {
  // Which rows is not known: they are objects where it is.
  if (key.kind === 'rows' && member?.type === 'string') return 'rows'
  return member?.text ?? 'a key'
}

/** Where a step is an event it is only asked whether a promise is settled. */
function foundState({ value: { type, text } }: Access): string {
  if (type === 'boolean') return text === 'true' ? 'settled' : 'pending'
  return text.replaceAll('"', '')
}

function settlingDeed(access: Access, labels: Labels): string {
  if (access.kind === 'read' && !isTooLate(access)) return `found it ${foundState(access)}`
  const deed = access.as === undefined ? 'settled it' : `${access.as} it`
  return deed + withValue(access, labels)
}

function settling({ as }: Access): string {
  if (as === undefined) return 'settle'
  return as === 'fulfilled' ? 'fulfil' : 'reject'
}

function lookRow(access: Access, label: string, labels: Labels): string {
  return isTooLate(access) ? `${settling(access)} ${label}${withValue(access, labels)}, too late` : `look at ${label} -> ${foundState(access)}`
}

function withValue(access: Access, labels: Labels): string {
  return access.as === undefined || access.value.type === 'undefined' ? '' : ` with ${labels.value(access)}`
}

function timerDeed({ kind, value }: Access): string {
  if (kind === 'read') return value.text === '"cleared"' ? 'did not fire' : 'fired'
  return kind === 'settle' ? 'fired' : 'cleared it'
}

function timerRow({ kind, value }: Access, label: string): string {
  if (kind === 'read') return value.text === '"cleared"' ? `${label} does not fire` : `${label} fires`
  return kind === 'settle' ? `${label} fires` : `clear ${label}`
}
