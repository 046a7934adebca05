import type { FailureKind } from '../engine/outcome.ts'
import type { Begin } from './begins.ts'
import { changes, isOfControl, type Access } from './accesses.ts'
import type { FailingOrders } from './experiment.ts'
import { overwrittenIn, type Finding } from './finding.ts'
import { titles } from './kinds.ts'
import type { Labels } from './labels.ts'
import { setByBoth, setOnPage } from './set-on-page.ts'
import { capitalised, deedElsewhere, deedOf, isDispatch, isInside, isRemoval, isTooLate, isUpdater } from './words.ts'
import { fewInSentence } from './lists.ts'

/** What a headline calls things. */
export interface Wording {
  readonly names: readonly string[]
  readonly labels: Labels
  /** What the race is called: `Lost update`. */
  readonly title: string
  /** Where the process was called that comes second. */
  readonly begin?: Begin | undefined
}

/** States what happened in this execution; it says nothing about what should have. */
export function headlineOf(finding: Finding, wording: Wording): string {
  switch (finding.pattern) {
    case 'lost-update':
      return wording.title === titles['check-then-act'] || wording.title === titles['double-initialisation'] ? checkThenAct({ ...finding, pattern: 'check-then-act', how: 'write' }, wording) : lostUpdate(finding, wording)
    case 'check-then-act':
      return checkThenAct(finding, wording)
    case 'overwritten':
      return overwritten(finding, wording)
    case 'order-violation':
      return orderViolation(finding, wording)
    case 'wrong-holder-release':
      return wrongHolder(finding, wording)
    default:
      return finding satisfies never
  }
}

function lostUpdate({ looked, changed, act }: Extract<Finding, { pattern: 'lost-update' }>, { names, labels, title }: Wording): string {
  const [change] = changed
  return (
    `${title} on ${labels.titled(looked)}: ${names[act.process]} ${deedOf(act, labels)} from a value read before ` +
    `${names[change.process]} ${deedOf(change, labels)}.`
  )
}

function checkThenAct({ how, looked, changed, act }: Extract<Finding, { pattern: 'check-then-act' }>, { names, labels, title }: Wording): string {
  const [change] = changed
  const actor = names[act.process]
  const deed = {
    write: `${actor} still ${deedOf(act, labels)}`,
    update: act.kind === 'insert' || act.kind === 'remove' || act.kind === 'append' ? `${actor} ${deedOf(act, labels)}` : `${actor} changed it to ${labels.value(act)}`,
    use: `${actor} found ${labels.value(act)}`,
    elsewhere: `${actor} still ${deedElsewhere(act, labels)}`,
  }[how]
  return (
    `${title} on ${labels.titled(looked)}: ${names[looked.process]} ${deedOf(looked, labels)}${names[looked.process] === actor ? '' : ` for ${actor}`}, then ${names[change.process]} ${deedOf(change, labels)}, ` +
    `then ${deed}.`
  )
}

function overwritten(finding: Extract<Finding, { pattern: 'overwritten' }>, { names, labels, title }: Wording): string {
  const { looked, changed, act } = finding
  const [last, lost] = [changed.at(-1)!, overwrittenIn(finding)]
  // Of two that look the same it is whose it is that counts.
  const found = labels.value(act) === labels.value(lost) ? `that of ${names[last.process]}` : labels.value(act)
  const overwriting = `${names[last.process]}${finding.held ? `, ${heldText(finding.held, lost, labels)},` : ''} ${isRemoval(last) ? 'removed' : `wrote ${labels.value(last)} over`} the ${labels.value(lost)}`
  if (lost !== looked) return `${title} on ${labels.titled(looked)}: ${overwriting} of ${names[lost.process]}, and ${names[act.process]} then read ${found}.`
  if (looked.process === act.process) return `${title} on ${labels.titled(looked)}: ${overwriting} of ${names[looked.process]}, which then read ${found}.`
  const whose = looked.process === last.process ? 'that it had left' : `of ${names[looked.process]}`
  return `${title} on ${labels.titled(looked)}: ${overwriting} ${whose} for ${names[act.process]}, which then read ${found}.`
}

/** Of two that look the same only one is told. */
const heldText = (held: Access, taken: Access, labels: Labels): string => `which had held ${labels.value(held) === labels.value(taken) ? 'another one' : labels.value(held)}`

function wrongHolder({ given, cleared, missed, shared }: Extract<Finding, { pattern: 'wrong-holder-release' }>, { names, labels, title }: Wording): string {
  const [wrong, holder] = [names[cleared.process], names[missed.process]]
  if (shared) return `${title} on ${labels.titled(given)}: ${names[shared.process]} ${deedOf(shared, labels)}, then ${wrong} ${deedOf(cleared, labels)} while ${names[shared.process]} went on with it, and ${holder} ${deedOf(missed, labels)}.`
  const taken = given.process === cleared.process ? `${wrong} ${deedOf(given, labels)} for ${holder}` : `${names[given.process]} ${deedOf(given, labels)}`
  return `${title} on ${labels.titled(given)}: ${taken}, then ${wrong} ${deedOf(cleared, labels)} over it, and ${holder} ${deedOf(missed, labels)}.`
}

function orderViolation(finding: Extract<Finding, { pattern: 'order-violation' }>, { names, labels, title, begin }: Wording): string {
  const { first, second, held, meanwhile, isOverlap = begin !== undefined } = finding
  const [earlier, later] = [names[first.process], names[second.process]]
  if (held) return `${title} on ${labels.titled(first)}: ${later}, ${heldText(held, first, labels)}, ${isRemoval(second) ? 'removed' : `wrote ${labels.value(second)} over`} the ${labels.value(first)} of ${earlier}.`
  if (meanwhile) return `${title} on ${labels.titled(first)}: ${later} wrote ${labels.value(second)} over the ${labels.value(first)} of ${earlier} while ${names[meanwhile.act.process]} was at work.`
  const order = isOfControl(first) ? orderOfControl : orderOf
  const where = setByBoth(first, second) ?? labels.titled(first)
  if (title === titles['last-write-wins'] && first.kind === 'read') return `${title} on ${where}: ${later} ${deedOf(second, labels)} over the ${labels.value(first)} that ${earlier} had left there. Nothing recorded orders the two.`
  if (title === titles['lost-update'] && first.kind === 'read') return `${title} on ${where}: ${later} ${deedOf(second, labels)} in the place of what ${earlier} had read, and changed, before. Nothing recorded orders the two.`
  if (title === titles['unhandled-rejection'] && first.key.kind === 'settled') return `${title} of ${where}: ${earlier} rejected it before ${later} waited for it. Nothing recorded orders the two.`
  if (title === titles['timeout-wins'] && isTooLate(second)) return `${title} on ${where}: ${order(first, second, { earlier: earlier!, later: later!, labels })}. Nobody gets that.`
  const what = title === titles['unhandled-rejection'] ? `Unhandled ${where}` : `${title} on ${where}`
  return `${what}: ${order(first, second, { earlier: earlier!, later: later!, labels })}. ${isOverlap ? `Nothing makes ${earlier} wait for ${later}.` : 'Nothing recorded orders the two.'}`
}

interface Named {
  readonly earlier: string
  readonly later: string
  readonly labels: Labels
}

function orderOf(first: Access, second: Access, { earlier, later, labels }: Named): string {
  const [before, after] = [setOnPage(first), setOnPage(second)]
  if (before && after?.target === before.target) return `${later} wrote ${after.value} over the ${before.value} of ${earlier}`
  if (isInside(first)) return `${later} ${deedOf(second, labels)} after ${earlier} ${deedOf(first, labels)}`
  if (!changes(first)) return `${earlier} read ${labels.value(first)} before ${later} ${deedOf(second, labels)}`
  if (!changes(second)) return `${later} read ${labels.value(second)} after ${earlier} ${deedOf(first, labels)}`
  if (isWrite(first) && isWrite(second) && !isInside(second) && first.key.kind !== 'order') return `${later} wrote ${labels.value(second)} over the ${labels.value(first)} of ${earlier}`
  return `${later} ${deedOf(second, labels)} after ${earlier} ${deedOf(first, labels)}`
}

const isWrite = (access: Access): boolean => (access.kind === 'write' || access.kind === 'assign') && !isRemoval(access) && !isDispatch(access) && !isUpdater(access)

/** Of a promise: who settled it, and who came second. Of a timer: whether it fired before it was cleared. */
function orderOfControl(first: Access, second: Access, { earlier, later, labels }: Named): string {
  if (isTooLate(second)) return `${earlier} ${deedOf(first, labels)}, then ${later} came second and would have ${deedOf(second, labels)}`
  const result = first.key.kind === 'fired' && second.kind === 'read'
  return `${earlier} ${deedOf(first, labels)}${result ? ', so that' : ' before'} ${later} ${deedOf(second, labels)}`
}

/** For a failure that no race explains. */
export function plainHeadline(kind: FailureKind, { hasRaces, isDecided = false, failing, takesTime }: { hasRaces: boolean; isDecided?: boolean; failing?: FailingOrders | undefined; takesTime?: readonly string[] | undefined }): string {
  if (takesTime && (!failing || failing.passesAtOnce) && !isDecided) return `${kind === 'unhandled-rejection' ? titles[kind] : 'Fails'} once this takes time: ${fewInSentence(takesTime)}. In the plain order none of it does, and the test passes.`
  const why = failing ? inEveryOrder(failing) : isDecided ? 'what comes first decides that' : hasRaces ? 'no race in this execution is known to explain it' : 'no race was recorded in this execution'
  switch (kind) {
    case 'error':
      return `The test threw; ${why}.`
    case 'invariant':
      return `The invariant does not hold; ${why}.`
    case 'unhandled-rejection':
      return `A promise was rejected and nothing handled it; ${why}.`
    case 'livelock':
      return `Livelock: nothing can run any more but loops that wait by asking again; ${why}.`
    case 'deadlock':
      return 'Deadlock: nothing can run any more, and the test has not ended.'
    default:
      return kind satisfies never
  }
}

/** The same as a sentence. */
export const everyOrder = (failing: FailingOrders): string => `${capitalised(inEveryOrder(failing))}.`

/** A timer fires; what stands in a queue runs. */
export const laterText = (timer = 'a timer'): string => `${timer} ${/^(?:a )?(?:timer|interval)/.test(timer) ? 'fires' : 'runs'} later`

function inEveryOrder({ executions, areAll, sequentially, passesAtOnce, timer }: FailingOrders): string {
  const orders = passesAtOnce ? 'in every order that was tried, but for the plain one, in which nothing takes time' : !areAll ? (executions === 1 ? 'in the one order that was tried' : `in all ${executions} orders that were tried`) : executions === 1 ? 'in the one order that there is' : `in all ${executions} orders`
  switch (sequentially) {
    case 'passes':
      return `it fails ${orders}, and passes when its calls run one after the other`
    case 'later':
      return `it fails ${orders}, and passes when one of its calls begins in the midst of another one`
    case 'timer':
      return `it fails ${orders}, and passes when ${laterText(timer)}`
    case 'fails':
      return `no race decides it: it fails ${orders}`
    case 'unknown':
      return `it fails ${orders}`
    default:
      return sequentially satisfies never
  }
}
