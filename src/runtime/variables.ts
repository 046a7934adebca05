import type { Scope } from './emitted.ts'
import type { SiteId } from '../engine/ids.ts'
import { running, type Execution } from './execution.ts'
import type { ObjectId } from './identity.ts'

/** An instance of a scope: made by a step, or older than any execution. */
class ScopeInstance implements Scope {
  readonly execution: Execution | null = running
  readonly scope: number | string = running ? running.identities.fresh() : `scope ${++count}`
}

let count = 0

export function newScope(): Scope {
  return new ScopeInstance()
}

/** The identity of the scope, and whether it outlives the execution. Undefined where the scope's code has not run yet. */
function identify(execution: Execution, scope: Scope | string | undefined): { id: ObjectId; outlives: boolean } | undefined {
  if (scope === undefined) return undefined
  if (typeof scope === 'string') return { id: execution.identities.named(`file ${scope}`), outlives: true }
  const instance = scope as ScopeInstance
  if (typeof instance.scope === 'number') return { id: instance.scope, outlives: instance.execution !== execution }
  return { id: execution.identities.named(instance.scope), outlives: true }
}

/** A variable, to the recorder: an object whose only property has the variable's name. */
const owner = Object.create(null) as object

export function isVariableOwner(object: object): boolean {
  return object === owner
}

export function readVariable(execution: Execution, scope: Scope | string | undefined, name: string, site: SiteId, value: unknown): void {
  const instance = identify(execution, scope)
  if (!instance) return
  const location = execution.identities.location(instance.id, name)
  execution.read(location, site)
  execution.recording?.access({ kind: 'read', location, site, object: owner, key: name, value })
  if (typeof value === 'object' && value !== null) execution.identities.derive(value, instance.id, name)
}

interface VariableWrite {
  readonly scope: Scope | string | undefined
  readonly name: string
  readonly site: SiteId
  readonly old: unknown
  readonly value: unknown
  readonly restore: (value: any) => void
}

export function writeVariable(execution: Execution, { scope, name, site, old, value, restore }: VariableWrite): void {
  const instance = identify(execution, scope)
  if (!instance) return
  if (instance.outlives) execution.journal.change(() => restore(old))
  const location = execution.identities.location(instance.id, name)
  execution.write(location, site)
  execution.recording?.access({ kind: 'write', location, site, object: owner, key: name, value })
}
