import { changes, isOfControl, replaces, type Access } from './accesses.ts'
import { isAbsent, isFunction } from './values.ts'

/** What would settle a promise is kept somewhere, and nobody comes to call it. */
export interface Uncalled {
  /** Where it is put there. */
  readonly kept: Access
  /** What takes it away from there. */
  readonly changed: Access
  /** It is there still: it would have been called when what was looked at before has changed so. */
  readonly looked?: Access
}

/** The last callback that those processes keep somewhere of which this is so. */
export function uncalledOf(processes: readonly number[], accesses: readonly Access[], find: (kept: Access, accesses: readonly Access[]) => Uncalled | undefined): Uncalled | undefined {
  for (const one of callbacksOf(processes, accesses)) {
    const found = find(one, accesses)
    if (found) return found
  }
  return undefined
}

/** Callbacks that those processes keep somewhere, the last one first. */
const callbacksOf = (processes: readonly number[], accesses: readonly Access[]): Access[] => accesses.filter((access) => processes.includes(access.process) && !isOfControl(access) && keepsCallback(access)).toReversed()

/** The last of them that is no other form of a method, if nobody has looked where it is since it is there. */
export function neverLookedFor(processes: readonly number[], accesses: readonly Access[]): Access | undefined {
  const last = callbacksOf(processes, accesses).find((kept) => !isFormOfMethod(kept, accesses))
  return last && !isLookedFor(last, accesses) ? last : undefined
}

/** `this.close = this.close.bind(this)`: what stands there was a function before as well, and is called by its name. */
const isFormOfMethod = (kept: Access, accesses: readonly Access[]): boolean =>
  isFunction(kept.value) && accesses.findLast(({ index, location }) => index < kept.index && location === kept.location)?.value.type === kept.value.type

/** It puts a function somewhere, or an object that has one without a name, as the two functions of a promise are. */
function keepsCallback(access: Access): boolean {
  if (access.kind !== 'append' && !(replaces(access) && access.kind !== 'increase')) return false
  return isEntry(access) && access.value.text === 'true' ? /^(?!class\b)/.test(access.key.kind === 'entry of object' ? access.key.name : '') : holdsCallback(access)
}

const isEntry = ({ key }: Access): boolean => key.kind === 'entry' || key.kind === 'entry of object'

export const holdsCallback = ({ value }: Pick<Access, 'value'>): boolean => isFunction(value) || (value.type === 'object' && /\[function\]/.test(value.text))

/** One of several in a list. */
const isInList = (access: Access): boolean => access.kind === 'append' || access.key.kind === 'element'

/** It was taken away from where it was kept, before anybody has called it. */
export function droppedFrom(kept: Access, accesses: readonly Access[]): Uncalled | undefined {
  const later = accesses.filter(({ index }) => index > kept.index)
  const changed = isInList(kept) ? later.find((access) => isEndOf(kept.object, access, accesses)) : later.find((access) => access.location === kept.location && changes(access))
  if (!changed || !replaces(changed) || isSameValue(changed, kept)) return undefined
  // A handler is put in the place of another one.
  if (!isInList(kept) && !isAbsent(changed.value)) return undefined
  const isLost = isInList(kept) ? isFull(kept, changed, accesses) && !isCalledFrom(kept.object, changed, accesses) : !isTakenBefore(kept, changed, accesses) && !(isEntry(kept) && isGoneThrough(kept, changed, accesses))
  const identity = isInList(kept) ? kept.object : kept.value.identity
  const isUsedSince = identity !== undefined && later.some((access) => access.index > changed.index && (access.object === identity || (access.kind === 'read' && access.value.identity === identity)))
  return isLost && !isUsedSince ? { kept, changed } : undefined
}

const isSameValue = ({ value: one }: Access, { value: other }: Access): boolean => one.identity !== undefined && one.identity === other.identity

/** Something else is put in the place of the list, or it is emptied. */
function isEndOf(list: number, access: Access, accesses: readonly Access[]): boolean {
  if (access.object === list) return access.key.kind === 'order' && access.kind === 'write' && access.value.text === '0'
  if (!replaces(access) || access.value.identity === list) return false
  const before = accesses.findLast(({ index, location }) => index < access.index && location === access.location)
  return before?.value.identity === list
}

/** As far as whoever has looked at it last tells, there is something in it. */
function isFull({ object, index: since }: Access, changed: Access, accesses: readonly Access[]): boolean {
  const seen = accesses.findLast(({ index, value, object: of, key, kind }) => index > since && index < changed.index && kind === 'read' && (value.identity === object || (of === object && key.kind === 'order')))
  if (seen) return !isAbsent(seen.value)
  return !accesses.some(({ index, object: of, kind }) => index > since && index < changed.index && of === object && kind !== 'append' && kind !== 'read')
}

/** Whoever takes it away has gone through it before, and may have called what is there, or has taken a function of that. Who only leaves out some of it calls nothing. */
function isCalledFrom(list: number, changed: Access, accesses: readonly Access[]): boolean {
  const own = accesses.filter(({ index, step, process, kind }) => index < changed.index && step === changed.step && process === changed.process && kind === 'read')
  const looks = own.filter(({ object, key }) => object === list && key.kind === 'element')
  const leavesOut = ({ place }: Access): boolean => place !== undefined && /\.(?:filter|find|findIndex|indexOf|includes|some|every)\(/.test(place.text) && place.file === changed.place?.file && place.line === changed.place.line
  return looks.some((look) => (isFunction(look.value) ? !leavesOut(look) : own.some((access) => access.object === look.value.identity && isFunction(access.value))))
}

/** A function that somebody has looked at may have been called; of an object its parts have been looked at. */
function isTakenBefore(kept: Access, changed: Access, accesses: readonly Access[]): boolean {
  const between = accesses.filter(({ index, kind }) => index > kept.index && index < changed.index && kind === 'read')
  return between.some((access) => (kept.value.type === 'object' ? access.object === kept.value.identity && isFunction(access.value) : access.location === kept.location))
}

/** Whoever removes an entry of a Map or a Set has gone through all of them before, and may have called it. */
const isGoneThrough = ({ object }: Access, changed: Access, accesses: readonly Access[]): boolean =>
  accesses.some(({ kind, object: of, key, index, step, look }) => kind === 'read' && of === object && key.kind === 'order' && look !== 'size' && step === changed.step && index < changed.index)

/** Nobody has looked where it is kept. What the same process had looked at before has become nothing. */
export function leftIn(kept: Access, accesses: readonly Access[]): Uncalled | undefined {
  if (isLookedFor(kept, accesses)) return undefined
  const later = accesses.filter(({ index }) => index > kept.index)
  const looks = accesses.filter(({ step, process, within, kind, value }) => step === kept.step && process === kept.process && within === kept.within && kind === 'read' && !isFunction(value) && !isAbsent(value))
  const before = looks.filter(({ index }) => index < kept.index)
  // Who has left what settles a promise may look only after that whether something is free.
  const since = isSettler(kept) ? looks.filter(({ index, value: { type } }) => index > kept.index && (type === 'number' || type === 'boolean')) : []
  for (const looked of [...before.toReversed().slice(0, mostLooks), ...since.slice(0, mostLooks)]) {
    const changed = later.find((access) => access.index > looked.index && access.process === kept.process && replaces(access) && isAbsent(access.value) && (access.location === looked.location || isEndOf(looked.object, access, accesses)))
    if (changed) return { kept, changed, looked }
  }
  return undefined
}

/** As the functions that are handed to whoever makes a promise, which have no name. */
const isSettler = ({ value }: Access): boolean => value.text === '[function]'

/** Somebody has looked where it is kept since. */
const isLookedFor = (kept: Access, accesses: readonly Access[]): boolean =>
  accesses.some(({ index, kind, object, location }) => index > kept.index && kind === 'read' && (isInList(kept) || isEntry(kept) ? object === kept.object : location === kept.location))

/** What comes before so many looks has little to do with it. */
const mostLooks = 8
