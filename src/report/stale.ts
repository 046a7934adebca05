import { changes, type Access } from './accesses.ts'
import type { Finding } from './finding.ts'
import type { Order } from './order.ts'
import { grouped } from './grouped.ts'
import { isFunction, mayDeriveFrom } from './values.ts'

/** Reads that others made stale before the reader came back to the location. */
export function staleFindings(locations: ReadonlyMap<number, readonly Access[]>, order: Order): Finding[] {
  const findings: Finding[] = []
  for (const accesses of locations.values()) {
    for (const { looked, back, changed } of returns(accesses)) {
      if (!changed.some((change) => isConcurrent(order, looked, change, back))) continue
      const finding = classify({ looked, changed, back, accesses })
      if (finding) findings.push(finding)
    }
  }
  return [...findings, ...actsElsewhere(locations, order)]
}

interface Return {
  readonly looked: Access
  readonly changed: readonly [Access, ...Access[]]
  /** The first access of the same process after that, in a later step. */
  readonly back: Access
}

function returns(accesses: readonly Access[]): Return[] {
  const found: Return[] = []
  for (const [process, own] of grouped(accesses, (access) => access.process)) {
    for (let i = 1; i < own.length; i++) {
      const [looked, back] = [own[i - 1]!, own[i]!]
      if (looked.kind !== 'read' || looked.step === back.step) continue
      const [first, ...more] = accesses.filter(
        (access) => changes(access) && access.process !== process && access.index > looked.index && access.index < back.index,
      )
      if (first) found.push({ looked, back, changed: [first, ...more] })
    }
  }
  return found
}

/** Nothing but chance brought the change between the two. */
function isConcurrent(order: Order, looked: Access, change: Access, back: Access): boolean {
  return !order.isEnforced(looked.step, change.step) || !order.isEnforced(change.step, back.step)
}

function classify({ looked, changed, back, accesses }: Return & { accesses: readonly Access[] }): Finding | undefined {
  if (back.kind !== 'read') {
    return mayDeriveFrom(back.value, looked.value)
      ? { pattern: 'lost-update', looked, changed, act: back }
      : { pattern: 'check-then-act', how: 'write', looked, changed, act: back }
  }
  const write = accesses.find(
    (access) => access.step === back.step && access.process === back.process && access.index > back.index && changes(access),
  )
  if (write && write.value !== back.value) return { pattern: 'check-then-act', how: 'update', looked, changed, act: write }
  if (back.value === looked.value) return undefined
  return { pattern: 'check-then-act', how: 'use', looked, changed, act: back }
}

/** The stale answer led to a write of another location that the one who made it stale uses too. */
function* actsElsewhere(locations: ReadonlyMap<number, readonly Access[]>, order: Order): Generator<Finding> {
  const all = [...locations.values()].flat().toSorted((a, b) => a.index - b.index)
  const byProcess = grouped(all, ({ process }) => process)
  for (const accesses of locations.values()) {
    for (const looked of accesses) {
      if (looked.kind !== 'read' || isFunction(looked.value)) continue
      const own = byProcess.get(looked.process)!
      const act = own.find(({ index, step, kind }) => index > looked.index && step > looked.step && kind !== 'read')
      if (!act || act.location === looked.location) continue
      const isAgain = ({ process, index }: Access): boolean => process === looked.process && index > looked.index && index < act.index
      const [change, ...more] = accesses.filter(
        (access) => changes(access) && access.process !== looked.process && access.index > looked.index && access.index < act.index,
      )
      if (!change || accesses.some(isAgain)) continue
      const isUsedByBoth = locations.get(act.location)!.some(({ process }) => process === change.process)
      if (!isUsedByBoth || !isConcurrent(order, looked, change, act)) continue
      yield { pattern: 'check-then-act', how: 'elsewhere', looked, changed: [change, ...more], act }
    }
  }
}
