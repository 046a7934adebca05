import type { Node } from '../1-parse/node.ts'
import type { Range } from '../1-parse/ranges.ts'
import { type Binding, bindingOf, globalBinding } from './binding.ts'
import { type Exported, exportsOf } from './exports.ts'
import { Flow } from './flow.ts'
import { isPrimitive, mergedNames } from './primitives.ts'
import { resolve, type Scopes } from './resolve.ts'
import type { Definition, Reference, Scope, Variable } from './scopes.ts'

/** What the rewriting must know about names and about where functions suspend. */
export class Analysis {
  /** By the position of an identifier: the number of its binding, or `ofGlobal`. */
  readonly #meanings: Int32Array
  readonly #bindings: (Binding | undefined)[] = [undefined]
  readonly #recorded = new Set<Scope>()
  readonly #moduleVariables = new Map<string, Binding>()
  readonly #declared = new Map<Node, Variable>()
  readonly #written: Variable[] = []
  readonly #scopes: Scopes
  readonly #flow: Flow
  readonly #merged: ReadonlySet<unknown>

  readonly exports: readonly Exported[]

  constructor(program: Node) {
    this.exports = exportsOf(program)
    this.#meanings = new Int32Array(program.end)
    this.#flow = new Flow(program)
    this.#scopes = resolve(program)
    this.#merged = mergedNames(program)
    for (const scope of this.#scopes.all) for (const variable of scope.variables.values()) this.#add(variable)
    const [outermost] = this.#scopes.all
    for (const { identifier, writes } of this.#scopes.unresolved) {
      const name = identifier.name as string
      if (!writes) this.#meanings[identifier.start] = ofGlobal
      else if (!ofModules.has(name) && !name.startsWith('__')) this.#meanings[identifier.start] = this.#bindings.push(globalBinding(name, outermost!)) - 1
    }
  }

  /** What an identifier that is used refers to; undefined for globals. */
  binding(identifier: Node): Binding | undefined {
    return identifier.type === 'Identifier' ? this.#bindings[this.#meanings[identifier.start]!] : undefined
  }

  /** What a name means at the top of the file. */
  moduleVariable(name: string): Binding | undefined {
    return this.#moduleVariables.get(name)
  }

  /** Whether an identifier reads what the file declares nowhere. */
  readsGlobal(identifier: Node): boolean {
    return identifier.type === 'Identifier' && this.#meanings[identifier.start] === ofGlobal
  }

  /** The identifiers that refer to what this one declares. */
  uses(declared: Node): readonly Node[] {
    const variable = this.#declared.get(declared)
    return variable ? this.#usesOf(variable).map(({ identifier }) => identifier) : []
  }

  /** The same where only the function uses the name that declares it; undefined if others do as well. */
  usesWithin(declared: Node): readonly Node[] | undefined {
    const variable = this.#declared.get(declared)
    if (variable?.scope.variableScope.type !== 'function') return undefined
    const uses = variable.references.filter(({ isInit }) => !isInit)
    return uses.every(({ from }) => from.variableScope === variable.scope.variableScope) ? uses.map(({ identifier }) => identifier) : undefined
  }

  scope(node: Node): Scope | undefined {
    return this.#scopes.of.get(node)
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
    for (const { name, scope, definitions, references } of this.#written) {
      const writes = references.filter((reference) => reference.writes && isInside(reference.identifier, loop))
      const { block } = scope
      if (writes.length === 0 || (block !== loop && isInside(block, loop))) continue
      if (block !== loop && writes.every(({ identifier }) => this.binding(identifier)?.recorded)) continue
      if (writes.some(({ from }) => from.variableScope !== scope.variableScope) || definitions.some((definition) => block !== loop && isLater(definition, loop))) return undefined
      names.push(name)
    }
    return names
  }

  /** Whether the loop is `for (let i = 0; ...; i++)`, and nothing else changes `i`: no iteration leaves it as it was. */
  isCounted({ type, init, update }: Node & { readonly init?: Node; readonly update?: Node }): boolean {
    if (type !== 'ForStatement' || init?.type !== 'VariableDeclaration' || update?.type !== 'UpdateExpression') return false
    const counter = init.declarations.find(({ id }: Node) => id.name === update.argument.name)
    if (typeof counter?.init?.value !== 'number') return false
    const variable = this.#written.find(({ definitions }) => definitions[0]?.name === counter.id)
    return variable === undefined || variable.references.every(({ writes, identifier }) => !writes || isInside(identifier, init) || isInside(identifier, update))
  }

  /** Whether a name stands for what is declared by that identifier, and for nothing else at any time. */
  isOnly(declared: Node, name: Node): boolean {
    const references = this.#declared.get(declared)?.references ?? []
    return references.some(({ identifier }) => identifier === name) && references.every(({ writes, isInit }) => !writes || isInit)
  }

  #add(variable: Variable): void {
    const { scope, name, definitions, references } = variable
    // The `arguments` of a function is declared nowhere.
    if (definitions.length === 0) return
    if (references.some(({ writes }) => writes)) this.#written.push(variable)
    const uses = this.#usesOf(variable)
    const capturing = uses.filter(({ from }) => from.variableScope !== scope.variableScope)
    const binding = bindingOf(variable, {
      captured: capturing.length > 0,
      isUsedByParameters: capturing.some(({ identifier }) => isInParameters(identifier, scope)),
      reassigned: uses.some((reference) => reference.writes && !isLoopUpdate(reference, scope)),
      primitive: isPrimitive(variable, this.#merged),
    })
    if (binding.recorded) this.#recorded.add(scope)
    if (scope.type === 'module') this.#moduleVariables.set(name, binding)
    const number = this.#bindings.push(binding) - 1
    for (const { identifier } of uses) this.#meanings[identifier.start] = number
    for (const definition of definitions) this.#declared.set(definition.name, variable)
  }

  /** All references but for the value that a declaration gives. */
  #usesOf(variable: Variable): readonly Reference[] {
    return variable.references.some(({ isInit }) => isInit) ? variable.references.filter((reference) => !this.#isFirstValue(reference, variable)) : variable.references
  }

  /** The value that a declaration gives. A `var` has one instance for the whole function: initialising it again changes it. */
  #isFirstValue({ isInit, identifier }: Reference, { definitions }: Variable): boolean {
    if (!isInit) return false
    const index = definitions.findIndex(({ name }) => name === identifier)
    const definition = definitions[index]
    // A `var` with the name of a catch clause's parameter changes that.
    if (!definition) return false
    if (definition.type !== 'Variable' || definition.parent.kind !== 'var') return true
    return index === 0 && !this.#flow.repeats(definition.parent) && !this.#flow.suspendsBefore(definition.node.end)
  }
}

const ofGlobal = -1

/** What modules are given, and what is no property of the global object. */
export const ofModules: ReadonlySet<string> = new Set(['require', 'module', 'exports', 'arguments', 'undefined', 'eval'])

const isInside = (inner: Range, outer: Range): boolean => inner.start >= outer.start && inner.end <= outer.end

/** Whether a name is declared behind the beginning of a loop, and has no value before. */
function isLater({ type, parent, name }: Definition, loop: Node): boolean {
  return (type === 'ClassName' || (type === 'Variable' && parent.kind !== 'var')) && name.start > loop.start
}

/** Whether a name stands among the parameters of the function whose scope it is. */
export function isInParameters(identifier: Node, { block }: Scope): boolean {
  const parameters = block.params as Node[] | undefined
  return !!parameters?.length && identifier.start < parameters.at(-1)!.end
}

/** `for (let i = 0; ; i++)` makes a new `i` there. */
function isLoopUpdate({ from, identifier }: Reference, scope: Scope): boolean {
  const update = scope.block.update as Node | null | undefined
  return scope.type === 'for' && !!update && from.variableScope === scope.variableScope && isInside(identifier, update)
}
