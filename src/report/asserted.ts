import { changes, type Access } from './accesses.ts'
import { actOf, type Finding } from './finding.ts'
import { wholeOf } from './values.ts'

/** Texts that an assertion has found, and has not, as they are shown in values: what only one of the two has. */
export interface Asserted {
  readonly found: readonly string[]
  readonly missed: readonly string[]
  /** Texts that are in both, the first one before the second one as it was found, and after it as it was to be. */
  readonly turned: readonly (readonly [first: string, second: string])[]
}

/** Of the error of an assertion, whatever library has made it. */
export function assertedIn(error: unknown): Asserted {
  const { actual, expected } = (typeof error === 'object' && error !== null ? error : {}) as { readonly actual?: unknown; readonly expected?: unknown }
  const [found, missed] = [textsIn(actual), textsIn(expected)]
  return { found: found.filter((text) => !missed.includes(text)), missed: missed.filter((text) => !found.includes(text)), turned: turnedIn(found, missed) }
}

/** Which of a text that is there several times comes where nobody knows. */
function turnedIn(found: readonly string[], missed: readonly string[]): [first: string, second: string][] {
  const isOnce = (text: string): boolean => [found, missed].every((texts) => texts.indexOf(text) >= 0 && texts.indexOf(text) === texts.lastIndexOf(text))
  const both = found.filter(isOnce)
  return both.flatMap((first, i) => both.slice(i + 1).flatMap((second): [string, string][] => (missed.indexOf(second) < missed.indexOf(first) ? [[first, second]] : [])))
}

/** The two were put into a list in the order that the assertion has found, and the other one is what it has missed. */
export const isOfAssertedOrder = (finding: Finding, { turned }: Asserted): boolean =>
  finding.pattern === 'order-violation' && finding.first.kind === 'append' && finding.second.kind === 'append' && turned.some(([first, second]) => shows(finding.first, [first]) && shows(finding.second, [second]))

/** Whoever came last has put there what the assertion has found; what it has missed was there, or was to be, by the other one. Where it has missed nothing, the other one has not found that there. */
export function isOfAsserted(finding: Finding, { found, missed }: Asserted): boolean {
  const act = actOf(finding)
  if (!changes(act) || !shows(act, found)) return false
  const others = 'changed' in finding ? finding.changed : finding.pattern === 'order-violation' ? [finding.first] : []
  return missed.length === 0 ? others.some((other) => changes(other) || !shows(other, found)) : others.some((other) => changes(other) && shows(other, missed))
}

/** Somebody has put there what the assertion has missed, and whoever wrote over that by a stale value has not kept it. */
export function hasLostAsserted(finding: Finding, { missed }: Asserted): boolean {
  if (finding.pattern !== 'lost-update') return false
  const { changed, act } = finding
  return missed.some((text) => !shows(act, [text]) && changed.some((change) => shows(change, [text])))
}

export const shows = ({ value }: Access, texts: readonly string[]): boolean => texts.some((text) => wholeOf(value).includes(text))

/** Shorter ones are in many a value. */
const shortest = 3
/** Of a large object the first ones. */
const most = 50

function textsIn(value: unknown, depth = 3): string[] {
  if (typeof value === 'string') return printed.test(value) ? textsPrintedIn(value) : value.length >= shortest ? [JSON.stringify(value)] : []
  if (depth === 0 || typeof value !== 'object' || value === null) return []
  const parts = Object.values(Object.getOwnPropertyDescriptors(value)).slice(0, most)
  return parts.flatMap((part) => ('value' in part ? textsIn(part.value, depth - 1) : [])).slice(0, most)
}

/** A list or an object that Vitest has printed, several lines of it: a reporter is given no other. */
const printed = /^(?:[\w$.]+ )?[[{]\n/

const textsPrintedIn = (text: string): string[] => [...text.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(([one]) => one).filter((one) => one.length >= shortest + 2).slice(0, most)
