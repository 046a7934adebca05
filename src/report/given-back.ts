import { changes, type Access } from './accesses.ts'
import { callsAround } from './calls-around.ts'
import { grouped } from './grouped.ts'
import type { InputRecording } from './input.ts'

/** A count of what is free, or in use, of which one call has given back more than it had taken: it is beyond where it was before anybody had taken any. */
export interface GivenBackTwice {
  /** The number of the call. */
  readonly call: number
  /** What it has taken, */
  readonly taken: Access
  /** and given back: the last of these is too many. */
  readonly given: readonly [Access, ...Access[]]
  /** Whether to take makes the number less. */
  readonly isOfFree: boolean
}

/** More than so many accesses of one number tell nothing to anybody. */
const mostChanges = 200

export function givenBackTwiceIn(accesses: readonly Access[], { calls = [], begunBy = [] }: Pick<InputRecording, 'calls' | 'begunBy'>): GivenBackTwice | undefined {
  // A callback is of the call that has set its timer.
  const around = ({ within, process }: Access): Set<number> => callsAround(within ?? begunBy[process], calls)
  for (const all of grouped(accesses, ({ location }) => location).values()) {
    // What is counted within one step, as a list is gone through, nobody else can take.
    if (all.every(({ step }) => step === all[0]!.step)) continue
    const found = all.every(({ value }) => value.type === 'number') ? beyondFirst(all, { calls, around }) : undefined
    if (found) return found
  }
  return undefined
}

interface CallsOf {
  readonly calls: NonNullable<InputRecording['calls']>
  readonly around: (access: Access) => ReadonlySet<number>
}

function beyondFirst(all: readonly Access[], { calls, around }: CallsOf): GivenBackTwice | undefined {
  const counted = stepsOf(all)
  const [first] = counted
  if (!first || counted.length > mostChanges || counted.some(({ by, isUpdate }) => !isUpdate || Math.abs(by) !== Math.abs(first.by))) return undefined
  const atFirst = Number(first.access.value.text) - first.by
  const isBeyond = ({ access: { value } }: Counted): boolean => (Number(value.text) - atFirst) * first.by < 0
  const beyond = counted.find(isBeyond)
  if (beyond === undefined) return undefined
  // The outermost one is the test.
  for (const call of [...around(beyond.access)].slice(0, -1)) {
    const own = counted.filter(({ access }) => access.index <= beyond.access.index && around(access).has(call))
    const [taken, given] = [own.filter(({ by }) => by === first.by), own.filter(({ by }) => by !== first.by).map(({ access }) => access)]
    const [one, ...more] = given
    if (taken.length > 0 && one && given.length > taken.length && (isOfOneLine([one, ...more]) || isUsuallyEven(call, { counted, first, calls, around }))) return { call, taken: taken.at(-1)!.access, given: [one, ...more], isOfFree: first.by < 0 }
  }
  return undefined
}

/** One line gives back, however often it is called. */
const isOfOneLine = (given: readonly Access[]): boolean => given.slice(-2).every(({ place }, _, [one]) => place !== undefined && place.file === one!.place?.file && place.line === one!.place.line)

/** Another call of the same function gives back as much as it takes. */
function isUsuallyEven(call: number, { counted, first, calls, around }: CallsOf & { readonly counted: readonly Counted[]; readonly first: Counted }): boolean {
  const code = calls[call]?.code
  return calls.some(({ code: other }, number) => {
    if (number === call || !code || other?.file !== code.file || other.line !== code.line || other.column !== code.column) return false
    const own = counted.filter(({ access }) => around(access).has(number))
    return own.length > 1 && own.filter(({ by }) => by === first.by).length * 2 === own.length
  })
}

/** A change of a number, and by how much. */
interface Counted {
  readonly access: Access
  readonly by: number
  /** It is counted from what is there. */
  readonly isUpdate: boolean
}

const isUpdate = (access: Access, before: Access | undefined): boolean => access.kind === 'increase' || (before?.kind === 'read' && before.step === access.step && before.process === access.process)

function stepsOf(all: readonly Access[]): Counted[] {
  return all.flatMap((access, i) => {
    const before = access.found ?? all[i - 1]?.value
    return changes(access) && before ? [{ access, isUpdate: isUpdate(access, all[i - 1]), by: Number(access.value.text) - Number(before.text) }] : []
  })
}
