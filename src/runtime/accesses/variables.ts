import { Object } from '../../engine/intrinsics.ts'
import type { Scope } from '../execution/shapes.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { running } from '../execution/running.ts'
import type { ObjectId } from '../execution/identity.ts'
import { property, variable } from '../execution/keys.ts'
import { nameOfOlderScope, nameOfScope } from '../execution/permanent-names.ts'
import { isLoadedAgain } from '../execution/sources.ts'
import { beforeChange, propertyAssigned, recordRead } from './telling.ts'

/** An instance of a scope: made by a step, or by none. */
class ScopeInstance implements Scope {
  readonly execution: Execution | null
  scope: number | string

  constructor(execution: Execution | null, scope: number | string) {
    this.execution = execution
    this.scope = scope
  }
}

export function newScope(): Scope {
  return new ScopeInstance(running, running ? running.identities.fresh() : nameOfScope())
}

/** Of a scope that began before the exploration. */
export function olderScope(): Scope {
  return new ScopeInstance(null, nameOfOlderScope())
}

/** The identity of the scope, and whether it outlives the execution. Undefined where the scope's code has not run yet. */
function identify(execution: Execution, scope: Scope | string | undefined): { id: ObjectId; outlives: boolean } | undefined {
  if (scope === undefined) return undefined
  if (typeof scope === 'string') return { id: execution.identities.named(`file ${scope}`), outlives: true }
  const instance = scope as ScopeInstance
  // What another exploration has left has no name in this one.
  if (typeof instance.scope === 'number' && instance.execution!.identities !== execution.identities) instance.scope = nameOfOlderScope()
  if (typeof instance.scope === 'number') return { id: instance.scope, outlives: instance.execution !== execution }
  return { id: execution.identities.named(instance.scope), outlives: true }
}

/** Of a name that is declared nowhere: it is a property of the global object. */
const isGlobal = (scope: unknown): boolean => scope === globalThis

export function readVariable(execution: Execution, scope: Scope | string | undefined, name: string, site: SiteId, value: unknown): void {
  if (isGlobal(scope)) return recordRead(execution, globalThis, name, site, value)
  const instance = identify(execution, scope)
  if (instance) execution.accesses.read(instance.id, variable(name), site, value)
}

interface VariableWrite {
  readonly scope: Scope | string | undefined
  readonly name: string
  readonly site: SiteId
  readonly old: unknown
  readonly value: unknown
  readonly restore: (value: any) => void
}

/** `x += amount` where nobody sees the result, on numbers: integers commute with other integers. */
export function increaseVariable(execution: Execution, written: VariableWrite, amount: number): void {
  if (isGlobal(written.scope)) {
    beforeChange(execution, globalThis, written.name)
    return execution.accesses.increase(execution.identities.of(globalThis), property(written.name), written.site, { found: written.old as number, amount })
  }
  const instance = identify(execution, written.scope)
  if (!instance) return
  if (instance.outlives) beforeVariableChanges(execution, written, instance.id)
  execution.accesses.increase(instance.id, variable(written.name), written.site, { found: written.old as number, amount })
}

/** `x += amount` finds that it is not a number that is added to a number. */
export function findNoNumber(execution: Execution, { scope, name, site }: VariableWrite): void {
  if (isGlobal(scope)) return execution.accesses.findNoNumber(execution.identities.of(globalThis), property(name), site)
  const instance = identify(execution, scope)
  if (instance) execution.accesses.findNoNumber(instance.id, variable(name), site)
}

export function writeVariable(execution: Execution, written: VariableWrite): void {
  const { scope, name, site, value } = written
  if (isGlobal(scope)) {
    beforeChange(execution, globalThis, name)
    return propertyAssigned(execution, globalThis, name, site, { value, isThere: Object.hasOwn(globalThis, name) })
  }
  const instance = identify(execution, scope)
  if (!instance) return
  if (instance.outlives) beforeVariableChanges(execution, written, instance.id)
  execution.accesses.assign(instance.id, variable(name), site, value)
}

/** The first change saves it; of a file that is loaded more than once each does, as the variable may be that of another module. */
function beforeVariableChanges({ journal }: Execution, { scope, name, old, restore }: VariableWrite, id: ObjectId): void {
  const undo = (): void => restore(old)
  if (typeof scope === 'string' && isLoadedAgain(scope)) journal.change(undo)
  else journal.variable(id, name, undo)
}
