import type { RecordedExecution, RecordedStep } from '../execution/recorded-execution.ts'

/** An execution in another order that was written down. Processes, objects and locations have the numbers that they have in the failing one. */
export interface RecordedOrder {
  readonly steps: readonly RecordedStep[]
  /** Names of the processes, by ordinal: those of the failing execution, and then what came besides. */
  readonly names: readonly string[]
}

/**
 * Processes begin in another order there: they are those that the same one has begun, under the same name, after as many others; or else those of the same name and
 * number. A call that has a process only there is of its caller, within whose step it ended.
 */
export function sameProcesses(known: RecordedExecution, recording: RecordedExecution): RecordedOrder {
  const [begun, parents] = [begunIn(known), parentsIn(recording)]
  const counts = new Map<string, number>()
  const same: number[] = []
  // Who begins another one has a lower number.
  for (const [process, name] of recording.names.entries()) {
    const parent = same[parents[process] ?? -1] ?? -1
    const family = `${parent} ${familyOf(name)}`
    const count = counts.get(family) ?? 0
    counts.set(family, count + 1)
    same.push(begun.get(family)?.[count] ?? (known.names.includes(name) ? known.names.indexOf(name) : parent))
  }
  return inNumbersOf(known.names, same, recording)
}

/** The processes by whoever has begun them, and by their names without numbers. */
function begunIn(recording: RecordedExecution): Map<string, number[]> {
  const begun = new Map<string, number[]>()
  const parents = parentsIn(recording)
  for (const [process, name] of recording.names.entries()) {
    const family = `${parents[process] ?? -1} ${familyOf(name)}`
    begun.set(family, [...(begun.get(family) ?? []), process])
  }
  return begun
}

function parentsIn({ steps, calledBy }: RecordedExecution): (number | undefined)[] {
  const parents = [...calledBy]
  for (const { process, spawned } of steps) for (const begun of spawned) parents[begun] ??= process
  return parents
}

const familyOf = (name: string): string => name.replace(/#\d+$/, '')

/** With the numbers of the failing execution. @param processes by ordinal: the ordinal in the failing execution, or less than 0 */
export function inNumbersOf(known: readonly string[], processes: readonly number[], { steps, names }: RecordedExecution): RecordedOrder {
  const all = [...known]
  const numbers = names.map((name, ordinal) => {
    const same = processes[ordinal] ?? -1
    return same >= 0 ? same : all.push(name) - 1
  })
  const numbered = steps.map((step) => ({
    ...step,
    process: numbers[step.process]!,
    spawned: step.spawned.map((process) => numbers[process]!),
    accesses: step.accesses.map((access) => ({ ...access, callProcess: access.callProcess === undefined ? undefined : numbers[access.callProcess] })),
  }))
  return { steps: numbered, names: all }
}
