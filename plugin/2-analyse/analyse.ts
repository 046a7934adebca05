import type { Definition, Reference, Scope, ScopeManager, Variable } from 'eslint-scope'
import type { Node } from '../1-parse/node.ts'
import { type Binding, bindingOf, globalBinding } from './binding.ts'
import { type Exported, exportsOf } from './exports.ts'
import { Flow } from './flow.ts'
import { isPrimitive, mergedNames } from './primitives.ts'
import { resolve } from './resolve.ts'

/** What the rewriting must know about names and about where functions suspend. */
export class Analysis {
  readonly #bindings = new Map<unknown, Binding>()
  readonly #recorded = new Set<Scope>()
  readonly #moduleVariables = new Map<string, Binding>()
  readonly #globals = new Set<unknown>()
  readonly #uses = new Map<unknown, Node[]>()
  readonly #written: Variable[] = []
  readonly #scopes: ScopeManager
  readonly #flow: Flow
  readonly #merged: ReadonlySet<unknown>

  readonly exports: readonly Exported[]

  constructor(program: Node) {
    this.exports = exportsOf(program)
    this.#flow = new Flow(program)
    this.#scopes = resolve(program)
    this.#merged = mergedNames(program)
    for (const scope of this.#scopes.scopes) for (const variable of scope.variables) this.#add(variable)
    for (const reference of this.#scopes.globalScope?.through ?? []) {
      const { name } = reference.identifier
      if (reference.isReadOnly()) this.#globals.add(reference.identifier)
      else if (!ofModules.has(name) && !name.startsWith('__')) this.#bindings.set(reference.identifier, globalBinding(name, this.#scopes.globalScope!))
    }
  }

  /** What an identifier that is used refers to; undefined for globals. */
  binding(identifier: Node): Binding | undefined {
    return this.#bindings.get(identifier)
  }

  /** What a name means at the top of the file. */
  moduleVariable(name: string): Binding | undefined {
    return this.#moduleVariables.get(name)
  }

  /** Whether an identifier reads what the file declares nowhere. */
  readsGlobal(identifier: Node): boolean {
    return this.#globals.has(identifier)
  }

  /** The identifiers that refer to what this one declares. */
  uses(declared: Node): readonly Node[] {
    return this.#uses.get(declared) ?? []
  }

  scope(node: Node): Scope | undefined {
    return this.#scopes.acquire(node as never, true) ?? undefined
  }

  hasRecorded(scope: Scope): boolean {
    return this.#recorded.has(scope)
  }

  /** Whether the function that contains `node` can suspend while it evaluates it. */
  suspends(node: { start: number; end: number }): boolean {
    return this.#flow.suspends(node)
  }

  /**
   * The variables that one iteration of a loop leaves to the next, without those that are recorded; undefined where their values cannot be
   * told where the loop is tested.
   */
  carried(loop: Node): readonly string[] | undefined {
    const names: string[] = []
    for (const { name, scope, defs, references } of this.#written) {
      const writes = references.filter((reference) => reference.isWrite() && isInside(reference.identifier, loop))
      const block = scope.block as unknown as Node
      if (writes.length === 0 || (block !== loop && isInside(block, loop))) continue
      if (block !== loop && writes.every(({ identifier }) => this.#bindings.get(identifier)?.recorded)) continue
      if (writes.some(({ from }) => from.variableScope !== scope.variableScope) || defs.some((definition) => block !== loop && isLater(definition, loop))) return undefined
      names.push(name)
    }
    return names
  }

  /** Whether the loop is `for (let i = 0; ...; i++)`, and nothing else changes `i`: no iteration leaves it as it was. */
  isCounted({ type, init, update }: Node & { readonly init?: Node; readonly update?: Node }): boolean {
    if (type !== 'ForStatement' || init?.type !== 'VariableDeclaration' || update?.type !== 'UpdateExpression') return false
    const counter = init.declarations.find(({ id }: Node) => id.name === update.argument.name)
    if (typeof counter?.init?.value !== 'number') return false
    const variable = this.#written.find(({ defs }) => defs[0]?.name === (counter.id as unknown))
    const writes = variable?.references.filter((reference) => reference.isWrite()) ?? []
    return writes.every(({ identifier }) => isInside(identifier, init) || isInside(identifier, update))
  }

  #add(variable: Variable): void {
    // The `arguments` of a function is declared nowhere.
    if (variable.defs.length === 0) return
    if (variable.references.some((reference) => reference.isWrite())) this.#written.push(variable)
    const uses = variable.references.filter((reference) => !this.#isFirstValue(reference))
    const capturing = uses.filter(({ from }) => from.variableScope !== variable.scope.variableScope)
    const binding = bindingOf(variable, {
      captured: capturing.length > 0,
      isUsedByParameters: capturing.some(({ identifier }) => isInParameters(identifier as unknown as Node, variable.scope)),
      reassigned: uses.some((reference) => reference.isWrite() && !isLoopUpdate(reference, variable.scope)),
      primitive: isPrimitive(variable, this.#merged),
    })
    if (binding.recorded) this.#recorded.add(variable.scope)
    if (variable.scope.type === 'module') this.#moduleVariables.set(variable.name, binding)
    for (const { identifier } of uses) this.#bindings.set(identifier, binding)
    for (const { name } of variable.defs) this.#uses.set(name, uses.map(({ identifier }) => identifier as unknown as Node))
  }

  /** The value that a declaration gives. A `var` has one instance for the whole function: initialising it again changes it. */
  #isFirstValue({ init, identifier, resolved }: Reference): boolean {
    if (!init) return false
    const index = resolved!.defs.findIndex(({ name }) => name === identifier)
    const definition = resolved!.defs[index]
    // A `var` with the name of a catch clause's parameter changes that.
    if (!definition) return false
    if (definition.type !== 'Variable' || definition.parent.kind !== 'var') return true
    const { node, parent } = definition as unknown as { node: Node; parent: Node }
    return index === 0 && !this.#flow.repeats(parent) && !this.#flow.suspendsBefore(node.end)
  }
}

/** What modules are given, and what is no property of the global object. */
export const ofModules: ReadonlySet<string> = new Set(['require', 'module', 'exports', 'arguments', 'undefined', 'eval'])

function isInside(inner: unknown, outer: { readonly start: number; readonly end: number }): boolean {
  const { start, end } = inner as Node
  return start >= outer.start && end <= outer.end
}

/** Whether a name is declared behind the beginning of a loop, and has no value before. */
function isLater({ type, parent, name }: Definition, loop: Node): boolean {
  return (type === 'ClassName' || (type === 'Variable' && parent.kind !== 'var')) && (name as unknown as Node).start > loop.start
}

/** Whether a name stands among the parameters of the function whose scope it is. */
export function isInParameters(identifier: Node, { block }: Scope): boolean {
  const parameters = (block as unknown as Node).params as Node[] | undefined
  return !!parameters?.length && identifier.start < parameters.at(-1)!.end
}

/** `for (let i = 0; ; i++)` makes a new `i` there. */
function isLoopUpdate({ from, identifier }: Reference, scope: Scope): boolean {
  const { update } = scope.block as { update?: Node | null }
  const { start } = identifier as unknown as Node
  return scope.type === 'for' && !!update && from.variableScope === scope.variableScope && start >= update.start && start < update.end
}
