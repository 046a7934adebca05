import type { Scope } from 'eslint-scope'
import { forEachChild, type Node } from '../1-parse/node.ts'
import type { Parsed } from '../1-parse/parse.ts'
import { Analysis, isInParameters } from '../2-analyse/analyse.ts'
import type { Binding } from '../2-analyse/binding.ts'
import { Edits, type Insertion } from './edits.ts'
import { Names, quote } from './names.ts'
import { isPackage } from './packages.ts'
import { Places } from './places.ts'
import type { SuperStandIns } from './supers.ts'
import { visitors } from './visitors.ts'

export interface Unhandled {
  readonly line: number
  readonly column: number
  readonly construct: string
}

export type PrivateKind = 'field' | 'method' | 'accessor'

/** The private names that one class declares. */
export interface PrivateNames {
  readonly kinds: ReadonlyMap<string, PrivateKind>
  readonly asyncMethods: ReadonlyMap<string, { readonly isGenerator: boolean }>
  /** Those of instances that may be any object: the class extends another, whose constructor may return what it likes. */
  readonly given: ReadonlySet<string>
}

/** The variables that the function being rewritten needs for values kept across a suspension. */
export interface Temporaries {
  readonly names: string[]
}

/** One file being rewritten: what the visitors share. */
export class Rewriting {
  readonly edits: Edits
  readonly places: Places
  readonly names: Names
  readonly analysis: Analysis
  readonly unhandled: Unhandled[] = []
  /** Statements that stand before all others of the file. */
  readonly beginnings: string[] = []
  /** From the program down to the node being visited. */
  readonly ancestors: Node[] = []
  readonly temporaries: Temporaries[] = [{ names: [] }]
  readonly privateNames: PrivateNames[] = []
  /** For async generators that use `super`: what stands for it in their bodies. */
  readonly superStandIns = new Map<Node, SuperStandIns>()
  /** Functions around which the identity of their scope is made, so that their parameters have it as well. */
  readonly scopesAround = new Set<Node>()
  /** How the call of the runtime ends that is the body of an async function: no other function of the file contains it. */
  readonly callTails = new Map<Node, string>()
  readonly source: string
  readonly file: string
  /** Names imported from packages that the file uses, by specifier. */
  readonly imports = new Map<string, Set<string>>()
  readonly #comments: Parsed['comments']
  /** For scopes that have variables to record: the name of the variable that holds the scope's identity. */
  readonly #identities = new Map<Scope, string>()

  constructor(source: string, file: string, { program, comments }: Parsed) {
    this.source = source
    this.file = file
    this.#comments = comments
    this.edits = new Edits(source)
    this.places = new Places(source)
    this.names = new Names(source)
    this.analysis = new Analysis(program)
  }

  visit(node: Node | null | undefined): void {
    if (!node) return
    const visitor = visitors[node.type]
    this.ancestors.push(node)
    if (visitor) visitor(node, this)
    else this.children(node)
    this.ancestors.pop()
  }

  /** Visits what stands in a node that is not visited itself. */
  visitIn(parent: Node, node: Node): void {
    this.ancestors.push(parent)
    this.visit(node)
    this.ancestors.pop()
  }

  children(node: Node): void {
    forEachChild(node, (child) => this.visit(child))
  }

  /** The node that contains the one being visited. */
  get parent(): Node {
    return this.ancestors.at(-2)!
  }

  /** `origin`: the position in the source that errors in the inserted text are shown at. */
  insert(at: number, text: string, origin = at): Insertion {
    return this.edits.insert(at, text, origin)
  }

  replace(start: number, end: number, text: string): void {
    this.edits.replace(start, end, text)
  }

  /** `before`, the node, `after`. */
  wrap(node: Node, before: string, after: string): void {
    this.insert(node.start, before)
    this.visit(node)
    this.insert(node.end, after)
  }

  text(node: { start: number; end: number }): string {
    return this.source.slice(node.start, node.end)
  }

  /** The number of a place, as an expression. `name`: what an object is made for there. */
  site(position: number, text: string, name?: string): string {
    return `${this.names.table}+${this.places.add(position, text, name)}`
  }

  temporary(): string {
    const name = this.names.fresh()
    this.temporaries.at(-1)!.names.push(name)
    return name
  }

  recorded(identifier: Node): Binding | undefined {
    const binding = this.analysis.binding(identifier)
    return binding?.recorded && (binding.isUsedByParameters || !isInParameters(identifier, binding.scope)) ? binding : undefined
  }

  /** Notes the use of a name, where a package that may not be instrumented has it. */
  uses(identifier: Node): void {
    const source = this.analysis.binding(identifier)?.source
    if (source === undefined || !isPackage(source)) return
    let names = this.imports.get(source)
    if (!names) this.imports.set(source, (names = new Set()))
    names.add(identifier.name as string)
  }

  /**
   * The first two arguments of calls about a variable. The identity of a function's variables is mostly made in its body: what functions
   * among its parameters use is one for all calls then.
   */
  variable(binding: Binding): string {
    const { block } = binding.scope as unknown as { block: Node }
    const identity = binding.isUsedByParameters && !this.scopesAround.has(block) ? quote(`${this.file}:${block.start}`) : this.scopeIdentity(binding.scope)
    return `${identity}, ${quote(binding.name)}`
  }

  scopeIdentity(scope: Scope): string {
    if (scope.type === 'module') return quote(this.file)
    if (scope.type === 'global') return 'globalThis'
    let identity = this.#identities.get(scope)
    if (identity === undefined) this.#identities.set(scope, (identity = this.names.freshScope()))
    return identity
  }

  /** The declaration of the identity that variables of the scope are recorded under. */
  scopeDeclaration(node: Node): string {
    const scope = this.analysis.scope(node)
    return scope && this.analysis.hasRecorded(scope) ? `const ${this.scopeIdentity(scope)} = __dpor.scope();` : ''
  }

  /** The position of `token` in the source between two positions, outside comments. */
  find(token: string, from: number, to: number): number {
    let position = from
    for (;;) {
      const found = this.source.indexOf(token, position)
      if (found === -1 || found >= to) throw new Error(`vitest-dpor: no ${token} between ${from} and ${to} of ${this.file}; please report this with the file`)
      const comment = this.#commentAt(found)
      if (!comment) return found
      position = comment.end
    }
  }

  /** How often a character stands between two positions, outside comments. */
  count(character: string, from: number, to: number): number {
    let count = 0
    for (let i = this.source.indexOf(character, from); i !== -1 && i < to; i = this.source.indexOf(character, i + 1))
      if (!this.#commentAt(i)) count++
    return count
  }

  #commentAt(position: number): { start: number; end: number } | undefined {
    let low = 0
    let high = this.#comments.length - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      const comment = this.#comments[middle]!
      if (position < comment.start) high = middle - 1
      else if (position >= comment.end) low = middle + 1
      else return comment
    }
    return undefined
  }

  leave(node: Node, construct: string): void {
    const [line, column] = this.places.locate(node.start)
    this.unhandled.push({ line, column, construct })
  }
}
