import { callsAround } from './calls-around.ts'
import type { Access } from './accesses.ts'
import { isOf, waitText, type Waiter } from './deadlock.ts'
import { shortExpression } from './expression.ts'
import type { InputCall, InputRecording, Place } from './input.ts'
import { listed } from './lists.ts'
import { isOfPackage } from './places.ts'

/** Somebody waits for what it has got before, from the same one, and still has. */
export interface Hold {
  readonly waiter: Waiter
  /** The function, as it was looked up for what is waited for, */
  readonly asked: Access
  /** and before that in a call that has not ended. */
  readonly got: Access
}

/** All who wait for more than others to end hold some of what they wait for, such as connections of a pool that has no more of them. */
export function holdsOf(waiters: readonly Waiter[], accesses: readonly Access[], { calls = [] }: Pick<InputRecording, 'calls'>): readonly Hold[] | undefined {
  const takers = waiters.filter(({ process, waiting }) => process > 0 && !waiting.waitsFor?.length)
  const holds = takers.flatMap((waiter) => holdOf(waiter, accesses, calls) ?? [])
  const [first] = holds
  const isOfAll = first !== undefined && holds.length > 1 && holds.length === takers.length && holds.every(({ asked }) => isSameFunction(asked, first.asked))
  return isOfAll ? holds : undefined
}

function holdOf(waiter: Waiter, accesses: readonly Access[], calls: readonly InputCall[]): Hold | undefined {
  const { place } = waiter.waiting
  const asked = accesses.findLast((access) => isOf(access, waiter) && isLookUp(access) && access.place !== undefined && place !== undefined && isWithin(access.place, place))
  if (!asked) return undefined
  // None of them has ended.
  const underWay = callsAround(asked.within, calls)
  const own = accesses.filter(({ within }) => within !== undefined && underWay.has(within))
  const got = own.findLast((access) => isSameFunction(access, asked) && access.step < asked.step)
  return got && !own.some((access) => access.index > got.index && mayGiveBack(access)) ? { waiter, asked, got } : undefined
}

const isWithin = (inner: Place, outer: Place): boolean => inner.file === outer.file && inner.line === outer.line && outer.text.includes(inner.text)

const isLookUp = ({ kind, value, key }: Access): boolean => kind === 'read' && value.type === 'function' && key.kind === 'property'

const isSameFunction = (one: Access, other: Access): boolean => isLookUp(one) && one.location === other.location

/** Outside of packages a function is called by a name that says that something is given back. */
const mayGiveBack = (access: Access): boolean => access.value.type === 'function' && !(access.place && isOfPackage(access.place)) && 'name' in access.key && /release|unlock|free|return|dispose|destroy|close|end$/i.test(String(access.key.name))

/** One sentence. */
export function holdText(holds: readonly Hold[]): string {
  const [{ got, waiter }] = holds as readonly [Hold, ...Hold[]]
  const names = listed(holds.map((hold) => hold.waiter.waiting.process))
  return `Deadlock: ${names} each ${waitText(waiter).replace(/^waits/, 'wait')} and ${holds.length === 2 ? 'both' : 'all'} hold what they have got from ${callText(got)} before.`
}

export const holdRow = ({ got }: Hold): string => `gets ${callText(got)}`

const callText = ({ place }: Access): string => shortExpression(place!.text.endsWith(')') ? place!.text : `${place!.text}()`)
