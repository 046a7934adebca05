import { isOfControl, replaces, type Access } from './accesses.ts'
import type { Waiter, WaitsFor } from './deadlock.ts'
import { overwrittenIn, type Finding } from './finding.ts'

/** The number of the row of an access or a wait. */
export type NumberOf = (subject: Access | Waiter) => number | undefined

/** What a row has to do with the others. */
export function notesOf(finding: Finding, numberOf: NumberOf): Map<Access | Waiter, string> {
  const notes = new Map<Access | Waiter, string>()
  if (finding.pattern === 'order-violation') {
    const { first, second, held } = finding
    if (held) notes.set(second, `takes away ${numberOf(first)}, and not ${numberOf(held)}`)
    else if (first.kind === 'read') notes.set(first, beforeText(second, numberOf(second)))
    else notes.set(second, afterText({ first, second }, numberOf(first)))
    return notes
  }
  if (finding.pattern === 'wrong-holder-release') {
    const { given, cleared } = finding
    notes.set(cleared, `takes away ${numberOf(given)}`)
    return notes
  }
  const { pattern, looked, changed, act } = finding
  if (pattern === 'overwritten') {
    const last = changed.at(-1)!
    const held = finding.held && numberOf(finding.held)
    notes.set(last, held === undefined ? `overwrites ${numberOf(overwrittenIn(finding))}` : `takes away ${numberOf(overwrittenIn(finding))}, and not ${held}`)
    return notes.set(act, `sees what ${numberOf(last)} wrote`)
  }
  const since = numberOf(changed[0])
  notes.set(act, pattern === 'lost-update' ? `stale since ${since}` : `checked in ${numberOf(looked)}, written in ${since}`)
  return notes
}

function beforeText(second: Access, number: number | undefined): string {
  return replaces(second) && !isOfControl(second) ? `before ${number} wrote it` : `before ${number}`
}

function afterText({ first, second }: { readonly first: Access; readonly second: Access }, number: number | undefined): string {
  if (isOfControl(first) || !replaces(first)) return second.kind === 'read' && !isOfControl(first) ? `sees ${number}` : `after ${number}`
  if (second.kind === 'read') return `sees what ${number} wrote`
  return replaces(second) ? `overwrites ${number}` : `after ${number}`
}

export function cycleNotes(cycle: readonly WaitsFor[], numberOf: NumberOf): Map<Access | Waiter, string> {
  const notes = new Map<Access | Waiter, string>()
  for (const { waiter, holder, found } of cycle) {
    if (holder !== waiter) notes.set(waiter, `for ${holder.waiting.process}`)
    const number = found && numberOf(found.write)
    if (number !== undefined) notes.set(found!.read, `set in ${number}`)
  }
  return notes
}
