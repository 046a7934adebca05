import type { FailureKind } from '../engine/outcome.ts'
import { changes, isOfControl, isOfFile, isOfRows, isOfOneLine, isSamePlace, replaces, type Access } from './accesses.ts'
import { Descent } from './descent.ts'
import { familyOf } from './likelihood.ts'
import { isDecidedBy, isLeftUndone } from './decided.ts'
import { passingOrderOf, type Experiment } from './experiment.ts'
import { overwrittenIn, subjectOf, type Finding } from './finding.ts'
import type { InputRecording } from './input.ts'
import type { Path } from './parts.ts'
import type { WaitKind } from './wait-causes.ts'
import { isLeftAsFound } from './left-as-found.ts'
import { isMadeOfFound, isMadeOfLook } from './made-of-look.ts'
import { setByBoth } from './set-on-page.ts'
import { isFiring, settingOf, timeoutThatWon } from './timeouts.ts'
import { hasIn, isAbsent, isNothing, isSame, looksSame } from './values.ts'
import { isGiven, isInside, isTooLate } from './words.ts'

/** What a race is called: its pattern, or a case of it that has a name of its own. */
export type FindingKind =
  | Exclude<Finding['pattern'], 'overwritten'>
  /** Both find nothing there, and both make what should be made once. */
  | 'double-initialisation'
  /** Each reads what the other one changes, and changes something else. */
  | 'write-skew'
  /** Each has the last word about one of two rows that both write. */
  | 'write-cycle'
  /** One transaction finds something else in a row than before, */
  | 'non-repeatable-read'
  /** or of two rows that another one has changed, one as it was before and one as it is since, */
  | 'read-skew'
  /** or that rows have come or gone, or acts as if none had. */
  | 'phantom-read'
  /** Somebody goes on with a value that is no longer there. */
  | 'stale-read'
  | 'last-write-wins'
  /** A timer fired before the work that it guards was over. */
  | 'timeout-wins'
  /** Somebody has given back more than he had taken. */
  | 'double-release'
  /** A promise was rejected before anybody handled it. */
  | 'unhandled-rejection'

/** The first words of a story. */
export const titles: Readonly<Record<FindingKind | WaitKind, string>> = {
  'lost-update': 'Lost update',
  'check-then-act': 'Check-then-act',
  'order-violation': 'Order violation',
  'wrong-holder-release': 'Wrong-holder release',
  'double-initialisation': 'Double initialisation',
  'write-skew': 'Write skew',
  'write-cycle': 'Write cycle',
  'non-repeatable-read': 'Non-repeatable read',
  'read-skew': 'Read skew',
  'phantom-read': 'Phantom read',
  'stale-read': 'Stale read',
  'last-write-wins': 'Last write wins',
  'timeout-wins': 'Timeout wins',
  'double-release': 'Double release',
  'unhandled-rejection': 'Unhandled rejection',
  'lost-wakeup': 'Lost wakeup',
  'leaked-permit': 'Leaked permit',
  'self-deadlock': 'Self-deadlock',
}

type CheckThenAct = Extract<Finding, { pattern: 'check-then-act' }>
type OrderViolation = Extract<Finding, { pattern: 'order-violation' }>

/** The execution in which a finding was made. */
export interface Around {
  readonly recording: InputRecording
  readonly accesses: readonly Access[]
  readonly failure: FailureKind
  /** What running other orders has shown. */
  readonly experiment?: Experiment | undefined
  /** The part that the failing line looks at of what it is about. */
  readonly part?: Path | undefined
  /** Timers fire also before what they compete with. */
  readonly timersRace: boolean
  /** Whether a place is the test's own code. */
  readonly isTestCode: (place: Access['place']) => boolean
}

export function kindOf(finding: Finding, around: Around): FindingKind {
  if (around.timersRace && timeoutThatWon(finding, around.recording) !== undefined) return 'timeout-wins'
  switch (finding.pattern) {
    case 'lost-update':
      if (isOfFileItself(finding.looked)) return 'check-then-act'
      if (isOfRows(finding.looked)) return anomalyOf(finding, around)
      if (isMadeOnceApart(finding, around)) return 'double-initialisation'
      return isClaim(finding, around) || (isChangedThere(finding.looked, around.accesses) && finding.act.value.identity !== finding.looked.value.identity) ? 'check-then-act' : finding.pattern
    case 'wrong-holder-release':
      return finding.pattern
    case 'check-then-act':
      if (isOfFileItself(finding.looked)) return 'check-then-act'
      if (isOfRows(finding.looked)) return anomalyOf(finding, around)
      if (isMadeOfLook(finding, around.experiment)) return 'lost-update'
      if (isMadeTwice(finding, around)) return 'double-initialisation'
      if (isSkew(finding, around)) return 'write-skew'
      if (isOwnLost(finding, around)) return 'last-write-wins'
      return isTakenBack(finding, around) ? 'lost-update' : 'check-then-act'
    case 'overwritten':
      if (finding.held) return 'wrong-holder-release'
      return isTurnedFlag(finding, around) || isEndedToo(finding, around) || isOfOlderTimer(finding.changed.at(-1)!, overwrittenIn(finding), around) ? 'order-violation' : 'last-write-wins'
    case 'order-violation':
      if (isOfUnhandled(finding) && around.failure === 'unhandled-rejection') return 'unhandled-rejection'
      if (isGivenUp(finding, around)) return 'timeout-wins'
      if (isReadSkew(finding, around)) return 'read-skew'
      if (isWriteCycle(finding, around)) return 'write-cycle'
      if (setByBoth(finding.first, finding.second) !== undefined) return 'last-write-wins'
      if (finding.held) return 'wrong-holder-release'
      if (finding.meanwhile) return 'last-write-wins'
      if (isOverwrite(finding) && isOfOlderTimer(finding.second, finding.first, around)) return 'order-violation'
      if (isOverwrite(finding) && !isMadeOfFound(finding, around)) return isTakenAway(finding) ? 'lost-update' : 'last-write-wins'
      if (isOfFile(finding.first) && isLookedAtByBoth(finding, around)) return 'check-then-act'
      if (isLeftAsFound(finding, { accesses: around.accesses, names: around.recording.names, experiment: around.experiment })) return 'last-write-wins'
      if (isMadeInVain(finding, around) || isMadeByBoth(finding, around)) return 'double-initialisation'
      if (isReplacedSince(finding, around)) return 'lost-update'
      return isOutdated(finding, around) ? 'stale-read' : 'order-violation'
    default:
      return finding satisfies never
  }
}

/** What has become of rows after they were looked at, by the names that are usual for transactions. */
function anomalyOf(finding: CheckThenAct | Extract<Finding, { pattern: 'lost-update' }>, { accesses, recording }: Around): FindingKind {
  const { looked, changed: [change], act } = finding
  const how = finding.pattern === 'check-then-act' ? finding.how : 'write'
  if (how === 'elsewhere') return 'write-skew'
  // Which tables there are, and how they are made.
  if (looked.key.kind === 'resource' && looked.key.key === undefined && how !== 'use') return 'check-then-act'
  if (looked.key.kind !== 'rows') return how === 'use' ? 'non-repeatable-read' : hasFoundNone(looked) ? 'phantom-read' : 'lost-update'
  if ([change, act].some(({ kind }) => kind === 'insert' || kind === 'remove')) return 'phantom-read'
  if (how === 'use') return 'non-repeatable-read'
  const rowsOf = ({ step, process, object }: Access): readonly number[] => accesses.filter((access) => access.step === step && access.process === process && access.object === object && access.key.kind === 'resource').map(({ location }) => location)
  if (rowsOf(act).some((row) => rowsOf(change).includes(row))) return 'lost-update'
  // Which rows they are only the database knows: of one condition they are the same.
  const areUnknown = rowsOf(act).length === 0 && rowsOf(change).length === 0
  return areUnknown && conditionOf(act, recording) !== undefined && conditionOf(act, recording) === conditionOf(change, recording) ? 'lost-update' : 'write-skew'
}

/** There was no such row. */
const hasFoundNone = ({ value }: Access): boolean => isNothing(value) || value.text === '[]'

/** A handler comes too late; or, where a step is an event, who looks whether the promise is settled, as it waits for that. */
const isOfUnhandled = ({ first, second }: OrderViolation): boolean => first.key.kind === 'handled' || (first.key.kind === 'settled' && first.kind === 'settle' && second.kind === 'read' && !isTooLate(second))

/** A timer has rejected what would have been fulfilled later, or what comes of the timer has. */
const isGivenUp = ({ first, second }: OrderViolation, { recording: { steps } }: Around): boolean =>
  first.kind === 'settle' && first.as === 'rejected' && isTooLate(second) && second.as === 'fulfilled' && steps.some(({ process, accesses }, step) => process === first.process && step <= first.step && accesses.some(isFiring))

/** What of a statement says which rows it changes: all of it, without values that stand elsewhere. */
function conditionOf({ step, statement }: Access, { steps }: Around['recording']): string | undefined {
  const { text = '' } = statement ?? steps[step]?.statement ?? {}
  const condition = /\bwhere\b(.*)$/is.exec(text)?.[1]
  return condition === undefined || /[?$]/.test(condition) ? undefined : condition
}

/** Who reads has found one row as it was before another process changed it, and another row as it was after that. */
function isReadSkew({ first, second }: OrderViolation, { accesses }: Around): boolean {
  const [read, write] = first.kind === 'read' ? [first, second] : [second, first]
  if (!isOfRows(read) || read.kind !== 'read') return false
  const isAfter = (one: Access): boolean | undefined => {
    const written = accesses.find((access) => access.process === write.process && access.location === one.location && changes(access))
    return written && one.index > written.index
  }
  const others = accesses.filter((access) => access.kind === 'read' && access.process === read.process && access.location !== read.location && isOfRows(access))
  return others.some((other) => isAfter(other) === !isAfter(read))
}

function isWriteCycle({ first, second }: OrderViolation, { accesses }: Around): boolean {
  if (![first, second].every((access) => isOfRows(access) && access.kind === 'write')) return false
  const writesOf = (one: Access): readonly Access[] => accesses.filter((access) => access.kind === 'write' && access.process === one.process && access.key.kind === 'resource' && access.location !== one.location)
  return writesOf(second).some((before) => writesOf(first).some((after) => after.location === before.location && before.index < after.index))
}

/** Both have looked at one place and found nothing, and write alike. Who finds by then what the other one has made, and writes in spite of that, does so elsewhere. */
function isMadeTwice({ how, looked, changed: [change], act }: CheckThenAct, { accesses, recording }: Around): boolean {
  const hasFoundNoKey = looked.look === 'presence' && looked.value.text === 'false'
  if (how !== 'use' && how !== 'elsewhere' && isOneCount(act, change)) return false
  if (!isNothing(looked.value) && !isUnsetFlag(looked) && !(hasFoundNoKey && how !== 'update')) return false
  const others = new Set([change.process, ...[...new Descent(recording).apartFrom(change.process, act.process)].map(({ parent }) => parent)])
  // Where a step is an event, one process may look for both.
  const isOfOneFunction = (process: number): boolean => familyOf(recording.names[process]) === familyOf(recording.names[looked.process])
  const mayLookForOther = ({ process, within }: Access): boolean => others.has(process) || (looked.process !== act.process && within !== looked.within && isOfOneFunction(process))
  const otherLook = accesses.find((access) => access.index < change.index && mayLookForOther(access) && access.kind === 'read' && isSamePlace(access, looked))
  if (otherLook?.value.text !== looked.value.text) return false
  const mine = accesses.filter((access) => access.step === act.step && access.process === act.process && changes(access))
  const theirs = accesses.filter((access) => access.process === change.process && access.index > otherLook.index && changes(access))
  // What is put to somebody's list of entries is one more of them.
  if (how === 'write' && mine.some((write) => write.kind === 'append' && write.object === act.value.identity)) return false
  // What the other one has made is found there, and put to: it is not made again.
  if (how === 'update' && mine.some((write) => write.kind === 'append' && theirs.some((other) => other.kind === 'append' && other.object === write.object))) return false
  if (isPutInto({ how, looked, change, act }, accesses)) return true
  // A claim says who makes it: what is kept under a key is an object.
  if (hasFoundNoKey) return how === 'write' && isKept(act) && isKept(change) && isMadeAlike(act, change)
  if (isUnsetFlag(looked)) return mine.some((write) => isKept(write) && theirs.some((other) => isSamePlace(write, other) && isMadeAlike(write, other)))
  return mine.some((write) => theirs.some((other) => (how === 'use' ? isMadeAgain(write, other) : isSamePlace(write, other) && isMadeAlike(write, other))))
}

/** The code by which the other one has made the entry finds it in the end, and puts what it has made itself into that. */
function isPutInto({ how, looked, change, act }: Pick<CheckThenAct, 'how' | 'looked' | 'act'> & { readonly change: Access }, accesses: readonly Access[]): boolean {
  if ((how !== 'use' && how !== 'elsewhere') || change.value.identity === undefined) return false
  const own = accesses.filter(({ process, index }) => process === act.process && index > change.index)
  const isByOneCode = (again: Access): boolean => accesses.some((access) => !changes(access) && access.step === change.step && access.process === change.process && access.index < change.index && isSamePlace(access, again))
  const isOfWhatWasThere = (write: Access): boolean => own.some((access) => !changes(access) && access.location === write.location && access.step === write.step && access.index < write.index)
  const again = own.find((access) => !changes(access) && access.location === looked.location && isByOneCode(access))
  return again !== undefined && own.some((write) => write.step === again.step && write.object === change.value.identity && replaces(write) && write.kind !== 'increase' && !isAbsent(write.value) && !isOfWhatWasThere(write))
}

/** Both calls of one function have looked at one place and found nothing; only the other one, or what it has begun, has come as far as to write there. */
function isMadeInVain({ first, second }: OrderViolation, { accesses, recording }: Around): boolean {
  if (first.kind !== 'read' || isOfControl(first) || !isNothing(first.value) || !changes(second)) return false
  const descent = new Descent(recording)
  const others = [second.process, ...[...descent.apartFrom(second.process, first.process)].map(({ parent }) => parent)]
  const { names } = recording
  const look = accesses.findLast(({ index, process, location }) => index < second.index && location === second.location && others.some((other) => descent.isFrom(process, other)))
  if (look === undefined || familyOf(names[first.process]) !== familyOf(names[look.process])) return false
  return look.kind === 'read' && look.step !== second.step && isSamePlace(look, first) && isNothing(look.value)
}

/** Who has found nothing has put there, by the same line as the other one, what that puts there. */
function isMadeByBoth({ first, second }: OrderViolation, { accesses }: Around): boolean {
  if (first.kind !== 'read' || isOfControl(first) || !isNothing(first.value) || !isKept(second)) return false
  return accesses.some((access) => access.index > first.index && access.process === first.process && access.location === second.location && isKept(access) && isSamePlace(access, second) && isMadeAlike(access, second))
}

/** What the one does there comes of a look by the same code as the other one's: each has looked before either did anything. */
function isLookedAtByBoth({ first, second }: OrderViolation, { accesses, recording }: Around): boolean {
  if (first.kind !== 'read' || !changes(second)) return false
  const descent = new Descent(recording)
  const parentOf = (process: number): number | undefined => descent.birthOf(process)?.parent
  const isOfOther = (process: number): boolean => descent.isFrom(second.process, process) || (parentOf(process) === parentOf(second.process) && parentOf(process) !== parentOf(first.process))
  return accesses.some((access) => access.kind === 'read' && access.index < second.index && access.process !== first.process && isSamePlace(access, first) && isOfOther(access.process))
}

/** It says that something has not been made yet. */
const isUnsetFlag = ({ value, look }: Access): boolean => value.type === 'boolean' && value.text === 'false' && look !== 'presence'

/** What is loaded or connected is an object, which is there from then on. */
const isKept = (access: Access): boolean => replaces(access) && !isAbsent(access.value) && (access.value.type === 'object' || access.value.type === 'function')

/** A claim says who makes it; what is loaded or connected is an object that looks the same, but for numbers in it, or is kept in a Map. */
export function isMadeAlike({ value: one, key }: Access, { value: other }: Access): boolean {
  if (one.type !== other.type || one.type === 'boolean') return false
  if (one.type !== 'object' && one.type !== 'function' && key.kind !== 'entry' && key.kind !== 'entry of object') return false
  return one.type === 'object' ? withoutNumbers(one.text) === withoutNumbers(other.text) : one.text === other.text
}

function isMadeAgain({ location, value: one }: Access, { location: other, value }: Access): boolean {
  return location === other && one.type === value.type && one.type !== 'boolean' && !isAbsent(one) && one.text === value.text
}

/** Nothing but numbers, and the same, for one key: both have counted on from what was there, which was nothing. */
function isOneCount({ key, value: one }: Access, { value: other }: Access): boolean {
  if (key.kind !== 'entry' && key.kind !== 'entry of object' && key.kind !== 'stored') return false
  const rest = one.text.replaceAll(/"(?:[^"\\]|\\.)*":/g, '').replaceAll(/-?\d+(?:\.\d+)?/g, '0')
  return one.type === other.type && one.text === other.text && /^[[\]{},"'0 ]*0[[\]{},"'0 ]*$/.test(rest)
}

/** Those in texts stay. */
const withoutNumbers = (text: string): string => text.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|-?\d+(?:\.\d+)?/g, (found) => (/^["']/.test(found) ? found : '0'))

/** An element and another one, or how many there are. */
const isOfOneList = (one: Access, other: Access): boolean => one.object === other.object && [one, other].some(({ key }) => key.kind === 'element')

/** Who has made the answer stale has looked at what is written now, and that too is stale. */
function isSkew({ how, looked, changed: [change], act }: CheckThenAct, { accesses, recording }: Around): boolean {
  if (how !== 'elsewhere' || act.location === looked.location || isOfOneList(act, looked)) return false
  const descent = new Descent(recording)
  // Who has begun the other one looks for it, too.
  if (descent.isFrom(act.process, change.process)) return false
  const other = descent.outermost(change.process, looked.process)
  // Both write there: what is written is not two things.
  if (accesses.some((access) => changes(access) && access.location === act.location && access.index < act.index && descent.isFrom(access.process, other))) return false
  // A look that only leads to what it changes decides nothing.
  return accesses.some(({ kind, process, location, index, value }) => kind === 'read' && descent.isFrom(process, other) && location === act.location && index < change.index && index < act.index && value.identity !== change.object)
}

/** Where it finds what another one has put there it writes nothing: it has looked whether it may, and made nothing of what was there. Numbers may be both. What others have put into the object that was there is lost with that. */
function isClaim(finding: Extract<Finding, { pattern: 'lost-update' }>, { experiment }: Around): boolean {
  const { looked, changed, act } = finding
  // What it had found itself it only puts back.
  if (changed.some(({ location }) => location !== looked.location) || isSame(looked.value, act.value)) return false
  const order = passingOrderOf(finding, experiment)
  const isUndone = isDecidedBy(looked, act, experiment) || (order !== undefined && isLeftUndone({ look: looked, act }, order))
  return isUndone && (isAbsent(looked.value) || looked.value.type === 'object')
}

/** Both put one and the same in the place of what was there, by one line, and where calls do not overlap that is done once: the second finds it made. */
function isMadeOnceApart({ looked, changed: [change], act }: Extract<Finding, { pattern: 'lost-update' }>, { experiment }: Around): boolean {
  const order = experiment?.failing?.sequence
  if (order === undefined || looked.value.type !== 'object' || isAbsent(looked.value) || ![change, act].every(isKept)) return false
  return isSamePlace(change, act) && isMadeAlike(change, act) && !isOneCount(act, change) && order.isDoneLess(act)
}

type Overwritten = Extract<Finding, { pattern: 'overwritten' }>

const isByOne = ({ looked, changed }: Overwritten): boolean => changed.every(({ process }) => process === looked.process)

/** Whoever has set a flag turns it round itself, or another function does that without a look at it, as what closes what one has opened; and somebody comes upon that: no value is lost with it. */
function isTurnedFlag(finding: Overwritten, { accesses, recording: { names } }: Around): boolean {
  const { looked, changed } = finding
  const isApart = (change: Access): boolean => familyOf(names[change.process]) !== familyOf(names[looked.process])
  const isUnseen = (change: Access): boolean => !accesses.some(({ kind, process, location, index }) => kind === 'read' && process === change.process && location === change.location && index < change.index)
  return looked.value.type === 'boolean' && (isByOne(finding) || changed.every((change) => isApart(change) && isUnseen(change)))
}

/** Whoever has put it there puts the next one in its place itself; who was to take the first one away does that with the next one, as it comes too late. */
const isEndedToo = (finding: Overwritten, { accesses }: Around): boolean =>
  isByOne(finding) && accesses.some((access) => access.step === finding.act.step && access.process === finding.act.process && access.location === finding.act.location && access.index > finding.act.index && changes(access) && isAbsent(access.value))

/** Of whether there is a file and how old it is: nothing that is in it is lost with that. */
const isOfFileItself = (looked: Access): boolean => isOfFile(looked) && looked.value.text === '[Stats]'

/** What another one has put there meanwhile, without a look at it, is taken away with what was there before. */
function isTakenBack({ how, looked, changed, act }: CheckThenAct, { accesses }: Around): boolean {
  if (how !== 'write' || !isAbsent(act.value) || isAbsent(looked.value) || isAbsent(changed.at(-1)!.value)) return false
  return changed.every((change) => replaces(change) && !accesses.some(({ kind, process, location, index }) => kind === 'read' && process === change.process && location === change.location && index < change.index))
}

/** Who comes back had put there what it had found, and another call has put its own there by the same line. */
function isOwnLost({ how, looked, changed: [change], act }: CheckThenAct, { accesses }: Around): boolean {
  if (how !== 'use' || isAbsent(looked.value) || isAbsent(act.value)) return false
  const put = accesses.findLast((access) => access.index < looked.index && access.location === looked.location && changes(access))
  return put?.process === looked.process && replaces(change) && isSamePlace(put, change)
}

/** Who looks there changes what is found there, and nothing but that: it is no value to go by later. */
const isChangedThere = ({ step, process, index, value: { identity } }: Access, accesses: readonly Access[]): boolean =>
  identity !== undefined && accesses.some((access) => access.step === step && access.process === process && access.index > index && access.object === identity && changes(access))

/** What is put in its place keeps nothing of that, as nobody has looked at it. */
function isReplacedSince({ first, second }: OrderViolation, { accesses }: Around): boolean {
  const { identity } = first.value
  if (first.kind !== 'read' || !replaces(second) || isAbsent(second.value) || second.value.identity === identity || !isChangedThere(first, accesses)) return false
  return !accesses.some(({ step, process, index, object, kind, value }) => step === second.step && process === second.process && index < second.index && kind === 'read' && (object === identity || value.identity === identity))
}

/** Both give it a value, and the second keeps nothing of the first. */
export function isOverwrite({ first, second }: OrderViolation): boolean {
  if (![first, second].every((access) => isGiven(access) && !isOfControl(access))) return false
  return second.value.type !== 'string' || !hasIn(second.value, first.value)
}

/** The code under test had set a timer before the other one came, which fires after that: it is not that who comes last has the last word, but that nobody has cleared it. */
function isOfOlderTimer(late: Access, early: Access, { recording, accesses, isTestCode }: Around): boolean {
  const isOwn = ({ step, process }: Access): boolean => recording.steps[step]!.accesses.some(isFiring) && recording.steps.findIndex((one) => one.process === process) === step
  if (!isOwn(late) || isOwn(early)) return false
  const birth = new Descent(recording).birthOf(late.process)
  const set = birth && settingOf(birth, accesses)
  return set !== undefined && !isTestCode(set.place) && (birth?.index ?? Infinity) <= early.index
}

/** Nothing is left of what was there. Where one line writes both, nothing is a value as any other: it was the answer that came last. */
function isTakenAway({ first, second }: OrderViolation): boolean {
  return isAbsent(second.value) && !isAbsent(first.value) && !isOfOneLine(first, second)
}

/** There was something to read, and the reader went on after it had changed; or after it had read that, if whoever has changed it had read the same: both act by one value. */
function isOutdated(finding: OrderViolation, { recording: { order }, accesses }: Around): boolean {
  const { first, second } = finding
  if (first.kind !== 'read' || isOfControl(first) || isInside(first) || isAbsent(subjectOf(finding).value)) return false
  const isReadByBoth = accesses.some((access) => access.index < second.index && access.process === second.process && access.kind === 'read' && isSamePlace(access, first) && looksSame(access.value, first.value))
  return order.steps.some(({ process }, step) => process === first.process && step > (isReadByBoth ? first : second).step)
}
