import { grouped } from './grouped.ts'
import { Answers } from './kept-answers.ts'
import { asUsed, looksOfSetters } from './used-properties.ts'
import type { InputAccess, InputAccessKind, InputKey, InputLook, InputRecording, InputStatement, InputValue, Place } from './input.ts'

/** A recorded access, and whose it was. */
export interface Access {
  /** Position in the execution. */
  readonly index: number
  readonly step: number
  /** Ordinal of the process whose code it was. */
  readonly process: number
  readonly kind: Exclude<InputAccessKind, 'wait'>
  readonly location: number
  readonly object: number
  readonly owner: string
  readonly inside?: string | undefined
  readonly key: InputKey
  readonly value: InputValue
  readonly look: InputLook | undefined
  readonly member: InputValue | undefined
  readonly found: InputValue | undefined
  readonly as: InputAccess['as']
  /** Of code of a package: the call in the user's own code by which it runs. */
  readonly calledAt?: Place | undefined
  /** Of the user's own code: where code of another file has called it. */
  readonly calledFrom?: Place | undefined
  /** The number of the call of an async function whose code it is of. */
  readonly within: number | undefined
  readonly call?: string | undefined
  /** It is of code of an async function. */
  readonly isOfCall: boolean
  readonly place: Place | undefined
  /** What was asked of a store that has no statements: `get`. */
  readonly command: string | undefined
  /** A number for the transaction of a database that it is of. */
  readonly transaction: number | undefined
  /** What was asked of a server. */
  readonly statement?: InputStatement | undefined
  /** It is taken away. */
  readonly isGone: boolean
  /** What changed it, where no value says that: `<li>.textContent = "b"`. */
  readonly doing: string | undefined
  /** A look of code that is asked to put something there, and does: whether that is anything new. */
  readonly isOfAssignment: boolean
  /** Code that is not instrumented does it, called at the place. */
  readonly isOfOpaque: boolean
}

export const changes = ({ kind }: Access): boolean => kind !== 'read'

/** Of a value that a package keeps for the user's code, which has a name for it. */
export const isOfKeptValue = ({ key }: Access): boolean => key.kind === 'variable' && key.setter !== undefined

/** Whether it puts its value there, in place of what was there before. */
export function replaces({ kind }: Access): boolean {
  switch (kind) {
    case 'write':
    case 'assign':
    case 'increase':
      return true
    case 'read':
    case 'append':
    case 'insert':
    case 'remove':
    case 'settle':
      return false
    default:
      return kind satisfies never
  }
}

/** Of the runtime's own affairs: a promise, a timer. */
export const isOfControl = ({ key }: Access): boolean => key.kind === 'settled' || key.kind === 'handled' || key.kind === 'fired'

/** Of what a database answers: a row, or rows of a table. How old a file is and how large, which is an object as well, is none. */
export const isOfRows = (access: Access): boolean => access.key.kind === 'rows' || (access.key.kind === 'resource' && access.value.type === 'object' && !isOfFile(access))

/** The same, or what a store has under a key. */
export const isOfServers = (access: Access): boolean => isOfRows(access) || access.key.kind === 'stored'

/** What a file has in it. */
export const isOfFile = ({ key, owner }: Access): boolean => key.kind === 'resource' && owner === 'file'

/** Whether a file is there, how old it is or how large was asked, and not what is in it. */
export const asksAboutFile = (access: Access): boolean => access.kind === 'read' && isOfFile(access) && access.value.type !== 'string' && !/Buffer/.test(access.value.text)

/** What a server keeps, or a file. */
export const isKeptOutside = (access: Access): boolean => isOfServers(access) || isOfFile(access)

/** Mocks write down who has called them: that comes in another order with everything else, and nobody acts by it. */
export const isOfCallLists = ({ key }: Access): boolean => key.kind === 'property' && key.name === 'mock'

/** Of one location, and written at one place of the source. */
export const isSamePlace = (one: Access, other: Access): boolean =>
  one.location === other.location && one.place !== undefined && one.place.file === other.place?.file && one.place.line === other.place.line && one.place.column === other.place.column

export const isOfOneLine = ({ place: one }: Access, { place: other }: Access): boolean => one !== undefined && one.file === other?.file && one.line === other.line

/** Do the two fail to commute? */
export function conflict(first: Access, second: Access): boolean {
  if (first.location !== second.location) return false
  if (changesKeys(first) && changesKeys(second)) return false
  // Which row it is other locations tell.
  if (first.key.kind === 'rows' && changes(first) && changes(second)) return false
  if (first.kind === 'increase' && second.kind === 'increase') return false
  return changes(first) || changes(second)
}

const changesKeys = ({ kind }: Access): boolean => kind === 'insert' || kind === 'remove'

/** All accesses in their order. The first part of a call counts as its own process, not as its caller. */
export function accessesOf({ steps }: Pick<InputRecording, 'steps'>): Access[] {
  const accesses: Access[] = []
  const answers = new Answers(steps)
  for (const [step, { process, accesses: recorded, statement: ofStep }] of steps.entries()) {
    const told = recorded.filter(isTold)
    const lookOf = looksOfSetters(told)
    for (const access of told) {
      const look = lookOf(access)
      const { location, object, owner, inside, value, member, found, as, doing, call, within, callProcess, transaction, statement } = access
      const { key, place } = answers.as(access) ?? asSettled(access) ?? asUsed(access)
      accesses.push({ index: accesses.length, step, process: callProcess ?? process, kind: look === 'same' ? 'write' : access.kind, location, object, owner, inside, key, value, look: access.look, member, found, as, doing, call, within, isOfCall: callProcess !== undefined, place, command: key.kind === 'stored' ? ofStep?.command : undefined, transaction, statement, isOfAssignment: look === 'before', isOfOpaque: access.isOfOpaque === true, isGone: access.isGone === true, calledAt: access.calledAt, calledFrom: access.calledFrom })
    }
  }
  return accesses
}

/** Who has a promise settled by a function that was handed out does that where it is called. */
const asSettled = ({ key, place, calledAt }: InputAccess): Pick<InputAccess, 'key' | 'place'> | undefined => (key.kind === 'settled' && calledAt && place?.text.startsWith('new Promise(') ? { key, place: calledAt } : undefined)

/** Whether it is one of those. */
export function isTold(access: InputAccess): access is InputAccess & Pick<Access, 'kind'> {
  return access.kind !== 'wait' && !isBookkeeping(access.key)
}

/** Who waits is ordered, who asks for a moment is told of when it comes, and the parts of a whole are counted. */
function isBookkeeping({ kind }: InputKey): boolean {
  return kind === 'watched' || kind === 'reactions' || kind === 'part'
}

/** The accesses of each location that two processes touch and one of them changes. */
export function sharedLocations(accesses: readonly Access[]): Map<number, Access[]> {
  const locations = grouped(accesses, ({ location }) => location)
  for (const [location, list] of locations) {
    const isShared = list.some(({ process }) => process !== list[0]!.process) && list.some(changes)
    if (!isShared) locations.delete(location)
  }
  return locations
}
