import type { Node } from '../1-parse/node.ts'

export type ScopeType = 'global' | 'module' | 'function' | 'function-expression-name' | 'class' | 'class-field-initializer' | 'class-static-block' | 'block' | 'for' | 'switch' | 'catch'

/** Those that a `var` belongs to. */
const ofVariables: ReadonlySet<ScopeType> = new Set(['global', 'module', 'function', 'class-field-initializer', 'class-static-block'])

/** A declaration of a name. */
export interface Definition {
  readonly type: 'Variable' | 'Parameter' | 'CatchClause' | 'FunctionName' | 'ClassName' | 'ImportBinding'
  /** The identifier. */
  readonly name: Node
  /** The declarator, function, class, clause or specifier. */
  readonly node: Node
  /** The declaration that a declarator or specifier is a part of; else the same. */
  readonly parent: Node
}

/** A use of a name. */
export interface Reference {
  readonly identifier: Node
  readonly from: Scope
  readonly reads: boolean
  readonly writes: boolean
  /** What is written, or what a part of it is. */
  readonly written: Node | null
  /** A part of that is written. */
  readonly isPart: boolean
  /** A declaration gives a value. */
  readonly isInit: boolean
}

/** A name in the scope that declares it. */
export class Variable {
  readonly name: string
  readonly scope: Scope
  readonly definitions: Definition[] = []
  readonly references: Reference[] = []

  constructor(name: string, scope: Scope) {
    this.name = name
    this.scope = scope
  }
}

/** A part of a file in which names are declared. */
export class Scope {
  readonly type: ScopeType
  readonly block: Node
  readonly upper: Scope | undefined
  /** To which a `var` belongs that stands here. */
  readonly variableScope: Scope
  readonly variables = new Map<string, Variable>()
  /** By name: uses that nothing declares which has been seen so far. */
  readonly #open = new Map<string, Reference[]>()

  constructor(type: ScopeType, block: Node, upper: Scope | undefined) {
    this.type = type
    this.block = block
    this.upper = upper
    this.variableScope = ofVariables.has(type) || !upper ? this : upper.variableScope
  }

  define(definition: Definition): void {
    this.variable(definition.name.name as string).definitions.push(definition)
  }

  /** The variable of a name that is declared here. */
  variable(name: string): Variable {
    let variable = this.variables.get(name)
    if (!variable) this.variables.set(name, (variable = new Variable(name, this)))
    return variable
  }

  refer(reference: Reference): void {
    const name = reference.identifier.name as string
    const open = this.#open.get(name)
    if (open) open.push(reference)
    else this.#open.set(name, [reference])
  }

  /** Gives each use of a name to what declares it, here or further out. */
  close(): void {
    for (const [name, references] of this.#open) {
      const variable = this.variables.get(name)
      if (!variable) this.upper!.#leave(name, references)
      else if (!this.#isOfBody(variable)) append(variable.references, references)
      else {
        const start = (this.block.body as Node).start
        const outside = references.filter(({ identifier }) => identifier.start < start)
        if (outside.length > 0) this.upper!.#leave(name, outside)
        append(variable.references, references.filter(({ identifier }) => identifier.start >= start))
      }
    }
    this.#open.clear()
  }

  /** What is declared nowhere. */
  get unresolved(): readonly Reference[] {
    return [...this.#open.values()].flat()
  }

  #leave(name: string, references: Reference[]): void {
    const open = this.#open.get(name)
    if (open) append(open, references)
    else this.#open.set(name, references)
  }

  /** What the parameters of a function cannot mean: the body declares it. */
  #isOfBody({ definitions }: Variable): boolean {
    if (this.type !== 'function' || definitions.length === 0) return false
    const body = this.block.body as Node | null
    return body !== null && definitions.every(({ name }) => name.start >= body.start)
  }
}

/** There may be too many for arguments of a call. */
function append<T>(list: T[], more: readonly T[]): void {
  for (const item of more) list.push(item)
}
