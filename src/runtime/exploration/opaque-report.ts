import { Math } from '../../engine/intrinsics.ts'
import { knownGroups } from '../accesses/opaque-telling.ts'
import { usedPackages } from '../accesses/packages.ts'
import type { Execution } from '../execution/execution.ts'
import { placeOf } from '../execution/sources.ts'
import { functionName } from '../execution/values.ts'
import type { CalledFunction } from '../accesses/opaque-groups.ts'

/** A package, or a function, that is not instrumented and was called by more than one process: what it keeps to itself is merged. */
export interface OpaqueCalls {
  /** The package, or what the source calls the function. */
  readonly name: string
  readonly isPackage: boolean
  /** The package, or those that a function of unknown origin may come from: what `inline` can name. */
  readonly packages: readonly string[]
  /** How often, in the execution that called it most. */
  readonly calls: number
  /** By how many processes, at most. */
  readonly processes: number
  /** More was in the hands of such code than is compared: what it has changed of the rest is not seen. */
  readonly isPartial?: true
}

/** Counts the calls of what is not instrumented, over the executions of an exploration. */
export class OpaqueReport {
  readonly #most = new Map<string, OpaqueCalls>()

  add(execution: Execution): void {
    for (const calls of callsIn(execution)) {
      const before = this.#most.get(calls.name)
      this.#most.set(calls.name, { ...calls, calls: Math.max(calls.calls, before?.calls ?? 0), processes: Math.max(calls.processes, before?.processes ?? 0), ...(before?.isPartial && { isPartial: true }) })
    }
  }

  get hasCalls(): boolean {
    return this.#most.size > 0
  }

  /** What more than one process called, or has more in its hands than is compared. */
  get shared(): readonly OpaqueCalls[] {
    return [...this.#most.values()].filter(({ processes, isPartial }) => processes > 1 || isPartial)
  }
}

/** What was called in this execution and is not instrumented. */
export function opaqueCalls(execution: Execution): readonly OpaqueCalls[] {
  return [...callsIn(execution)]
}

function callsIn(execution: Execution): Iterable<OpaqueCalls> {
  const known = knownGroups(execution)
  if (known === undefined) return []
  const found = new Map<string, { packageName: string | undefined; calls: number; processes: Set<number> }>()
  for (const called of known.called) {
    const name = nameOf(called)
    let all = found.get(name)
    if (!all) found.set(name, (all = { packageName: called.packageName, calls: 0, processes: new Set() }))
    all.calls += called.calls
    for (const process of called.processes) all.processes.add(process)
  }
  return [...found].map(([name, { packageName, calls, processes }]) => {
    const packages = packageName === undefined ? usedPackages() : [packageName]
    return { name, isPackage: packageName !== undefined, packages, calls, processes: processes.size, ...(known.keepsMore && { isPartial: true as const }) }
  })
}

function nameOf({ fn, site, packageName }: CalledFunction): string {
  const text = placeOf(site)?.text
  // `store.setState({ n: 1 })` -> `store.setState`
  const callee = text === undefined ? undefined : /^(?:new )?[\w$.#?[\]'"]+(?=\()/.exec(text)?.[0]
  return packageName ?? callee ?? (functionName(fn) || 'a function')
}
