import type { Node } from '../1-parse/node.ts'

export type BindingKind = 'var' | 'let' | 'const' | 'parameter' | 'function' | 'class' | 'catch' | 'import' | 'name'

/** A declared name and what happens to it. */
export interface Binding {
  readonly name: string
  readonly kind: BindingKind
  readonly scope: Scope
  /** Assigned after it was declared. */
  reassigned: boolean
  /** Used by a function inside the one that declares it. */
  captured: boolean
  /** Where an import comes from. */
  readonly source?: string
  readonly imported?: string
}

/** A lexical scope. Scopes of one function share `owner`. */
export class Scope {
  readonly bindings = new Map<string, Binding>()
  /** Set for scopes that have variables to record; the name of the variable that holds the scope's identity. */
  identity: string | undefined

  constructor(
    readonly node: Node,
    readonly parent: Scope | undefined,
    /** The node of the function (or file, field, static block) whose code this is. */
    readonly owner: Node,
    /** Where `var` declarations of this scope live. */
    readonly hoistsTo: Scope | undefined,
  ) {}

  declare(name: string, kind: BindingKind, origin?: { source: string; imported: string }): Binding {
    const known = this.bindings.get(name)
    if (known) return known
    const binding: Binding = { name, kind, scope: this, reassigned: false, captured: false, ...origin }
    this.bindings.set(name, binding)
    return binding
  }

  find(name: string): Binding | undefined {
    // oxlint-disable-next-line no-this-alias
    for (let scope: Scope | undefined = this; scope; scope = scope.parent) {
      const binding = scope.bindings.get(name)
      if (binding) return binding
    }
    return undefined
  }
}

const recordable: ReadonlySet<BindingKind> = new Set(['var', 'let', 'parameter', 'function', 'class', 'catch'])

/** Two processes can share it, and one of them can change it. */
export const isRecorded = (binding: Binding): boolean => binding.captured && binding.reassigned && recordable.has(binding.kind)
