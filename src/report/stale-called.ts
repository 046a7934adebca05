import { changes, type Access } from './accesses.ts'
import { callsAround } from './calls-around.ts'
import { grouped } from './grouped.ts'
import type { InputCall } from './input.ts'
import type { Return } from './stale.ts'

/** A check, and its act in another process of one call, as where each answer that it waits for begins one of its own. */
export function returnsOfCalls(accesses: readonly Access[], calls: readonly InputCall[]): Return[] {
  const byCall = [...grouped(accesses, ({ within }) => within)].flatMap(([call, own]) => (call === undefined ? [] : [{ call, own }]))
  return byCall.flatMap(({ call, own }) =>
    own.slice(1).flatMap((back, i): Return[] => {
      const looked = own[i]!
      if (looked.kind !== 'read' || looked.process === back.process || looked.step === back.step) return []
      const since = accesses.filter(({ index }) => index > looked.index && index < back.index)
      const [first, ...more] = since.filter((access) => changes(access) && access.process !== back.process && isApart(access.within, call, calls))
      return first ? [{ looked, back, changed: [first, ...more] }] : []
    }),
  )
}

/** Neither was called by the other, nor by what that has called. */
const isApart = (one: number | undefined, other: number, calls: readonly InputCall[]): boolean => one !== undefined && !callsAround(one, calls).has(other) && !callsAround(other, calls).has(one)
