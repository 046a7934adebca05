import { changes, isOfControl, type Access } from './accesses.ts'
import type { Waiter } from './deadlock.ts'
import { Descent } from './descent.ts'
import { grouped } from './grouped.ts'
import type { InputRecording } from './input.ts'
import { mayBeCalled } from './wait-causes.ts'

/** All that there is of something is held by some who wait for others, which they have begun themselves and which need one more. */
export interface SpentCount {
  readonly waiter: Waiter
  /** What it has found before it began to wait. */
  readonly looked: Access
  /** Those who hold some are woken by these. */
  readonly taken: readonly [Access, ...Access[]]
  readonly holders: readonly number[]
  /** The one who has begun the waiter. */
  readonly around: number
}

export function spentCountOf(waiters: readonly Waiter[], accesses: readonly Access[], recording: InputRecording): SpentCount | undefined {
  const descent = new Descent(recording)
  const waiting = new Set(waiters.flatMap(({ line }) => line))
  for (const all of grouped(accesses, ({ location }) => location).values()) {
    const spent = isOfControl(all[0]!) ? undefined : heldOf(all, { recording, waiting })
    if (!spent) continue
    const last = spent.taken.at(-1)!
    for (const waiter of waiters) {
      const looked = all.findLast(({ kind, process, index }) => kind === 'read' && index > last.index && waiter.line.includes(process))
      const around = looked && spent.holders.find((holder) => holder !== looked.process && descent.isFrom(looked.process, holder))
      if (around !== undefined && isLeft(looked!, accesses)) return { waiter, looked: looked!, ...spent, around }
    }
  }
  return undefined
}

/** It has left a callback by which it can be found once there is one more. */
const isLeft = (looked: Access, accesses: readonly Access[]): boolean => accesses.some((access) => access.step === looked.step && access.process === looked.process && changes(access) && !isOfControl(access) && mayBeCalled(access))

/** Those who have taken one each of a number, by one and the same amount, and have neither given it back nor ended. */
function heldOf(all: readonly Access[], { recording, waiting }: { readonly recording: InputRecording; readonly waiting: ReadonlySet<number> }): Pick<SpentCount, 'taken' | 'holders'> | undefined {
  if (!all.every(({ value }) => value.type === 'number')) return undefined
  const counted = all.flatMap((access, i) => {
    const before = access.found ?? all[i - 1]?.value
    return changes(access) && before ? [{ access, by: Number(access.value.text) - Number(before.text) }] : []
  })
  const [first] = counted
  if (!first || counted.some(({ by }) => Math.abs(by) !== Math.abs(first.by))) return undefined
  const held = counted.filter(({ by }) => by === first.by).flatMap(({ access }) => {
    const holder = holdersOf(access, recording).find((process) => waiting.has(process))
    return holder === undefined ? [] : [{ access, holder }]
  })
  const [one, ...more] = held.map(({ access }) => access)
  const left = counted.reduce((sum, { by }) => sum + Math.sign(by / first.by), 0)
  return one && held.length === left ? { taken: [one, ...more], holders: [...new Set(held.map(({ holder }) => holder))] } : undefined
}

/** Whoever goes on, or is begun, because of the step in which it was taken. */
const holdersOf = ({ step }: Access, { order, steps }: InputRecording): number[] =>
  order.steps.flatMap(({ after }, at) => (after.some((before) => before.step === step && (before.reason === 'wait' || before.reason === 'spawn')) ? [steps[at]!.process] : []))
