import { mayDriveGenerators, type Driving } from './down-levelled.ts'
import { forEachChild, isTransparent, type Node } from '../1-parse/node.ts'
import type { Parsed } from '../1-parse/parse.ts'
import { firstFrom, startOf, type Range } from '../1-parse/ranges.ts'
import { Analysis, isInParameters } from '../2-analyse/analyse.ts'
import type { Binding } from '../2-analyse/binding.ts'
import type { Scope } from '../2-analyse/scopes.ts'
import { isStrict, mayBeSloppy } from '../2-analyse/strictness.ts'
import { Edits, type Insertion } from './edits.ts'
import { Lines } from './lines.ts'
import { Names, quote } from './names.ts'
import { isPackage } from './packages.ts'
import { Once } from './once.ts'
import { Places, type Original } from './places.ts'
import type { SuperStandIns } from './supers.ts'
import { mayBeTwin, twin, type Around, type Hoisted } from './twins.ts'
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

/** The variables that the function being rewritten needs for values that it keeps. */
export interface Temporaries {
  readonly names: string[]
}

/** One file being rewritten: what the visitors share. */
export class Rewriting {
  readonly edits: Edits
  readonly lines: Lines
  readonly places: Places
  readonly names: Names
  readonly analysis: Analysis
  readonly once: Once
  readonly unhandled: Unhandled[] = []
  /** Statements that stand before all others of the file. */
  readonly beginnings: string[] = []
  /** From the program down to the node being visited. */
  readonly ancestors: Node[] = []
  /** Of each function around; undefined where there is no place to declare them. */
  readonly temporaries: (Temporaries | undefined)[] = [{ names: [] }]
  readonly privateNames: PrivateNames[] = []
  /** For async generators that use `super`: what stands for it in their bodies. */
  readonly superStandIns = new Map<Node, SuperStandIns>()
  /** Functions that drive generators, which others make: how they begin. */
  readonly drivingInside = new Map<Node, Driving>()
  readonly drivesGenerators: boolean
  /** Functions around which the identity of their scope is made, so that their parameters have it as well. */
  readonly scopesAround = new Set<Node>()
  /** How the call of the runtime ends that is the body of an async function: no other function of the file contains it. */
  readonly callTails = new Map<Node, string>()
  /** Calls by which a function goes on as a loop does: what stands before them. */
  readonly recursions = new Map<Node, string>()
  /** An expression is being written beside which the plain one will stand. */
  isInTwin = false
  /** What was taken out of it so far. */
  #hoisted: Hoisted[] = []
  readonly source: string
  readonly file: string
  /** Names of what the platform has put on the global object. */
  readonly platform: ReadonlySet<string>
  /** Names imported from packages that the file uses, by specifier. */
  readonly imports = new Map<string, Set<string>>()
  /** Whether a text may be run in the scope of the file's functions. */
  readonly mayEvaluate: boolean
  /** Of a file that may be sloppy code: the places in what is strict there, as [first, end]. */
  readonly strictParts: [first: number, end: number][] | undefined
  #isInStrictPart = false
  readonly #comments: Parsed['comments']
  /** For scopes that have variables to record: the name of the variable that holds the scope's identity. */
  readonly #identities = new Map<Scope, string>()

  constructor(source: string, file: string, { program, comments }: Parsed, { original, platform }: { readonly original: Original | undefined; readonly platform: ReadonlySet<string> }) {
    this.source = source
    this.file = file
    this.platform = platform
    this.drivesGenerators = mayDriveGenerators(source)
    this.mayEvaluate = source.includes('eval(')
    this.strictParts = mayBeSloppy(program, file) ? [] : undefined
    this.#comments = comments
    this.edits = new Edits(source)
    this.lines = new Lines(source)
    this.places = new Places(this.lines, original)
    this.names = new Names(source)
    this.analysis = new Analysis(program)
    this.once = new Once(program, this)
  }

  visit(node: Node | null | undefined): void {
    if (!node) return
    if (this.isInTwin && this.once.isHoisted(node)) this.#hoist(node)
    else this.#twin(node, () => this.visitOnly(node))
  }

  /** Writes what the plain text will stand beside as a whole. */
  inTwin(write: () => void): void {
    this.isInTwin = true
    this.#hoisted = []
    write()
    this.isInTwin = false
  }

  /** Writes a part of an expression apart, to be evaluated before it. */
  #hoist(node: Node): void {
    const hoisted = this.#hoisted
    const { mark, calls, names } = this.edits
    const name = this.temporary()
    this.isInTwin = false
    this.visitOnly(node)
    this.isInTwin = true
    const hole = { start: node.start, end: node.end, name }
    hoisted.push({ ...hole, mark, calls: this.edits.calls - calls, names: this.edits.names - names, fragment: this.edits.cut(hole, mark) })
    this.#hoisted = hoisted
  }

  /** Leaves such a part where it was. */
  putBack({ fragment, mark, name }: Hoisted): void {
    this.edits.putBack(fragment, mark)
    const { names } = this.temporaries.at(-1)!
    names.splice(names.indexOf(name), 1)
  }

  /** Where the plain expression can stand beside it, `write` writes one that has no others like it inside. */
  #twin(node: Node, write: () => void, plain?: Around): void {
    if (this.isInTwin || !mayBeTwin(node, this)) return write()
    twin(node, this, { plain, write: () => {
      this.inTwin(write)
      return this.#hoisted
    } })
  }

  readonly #visitor = (node: Node): void => this.visit(node)

  /** Visits a node that nothing may be written beside. */
  visitOnly(node: Node): void {
    if (!this.strictParts || this.#isInStrictPart || !isStrict(node)) return this.#visitOnly(node)
    const first = this.places.all.length
    this.#isInStrictPart = true
    this.#visitOnly(node)
    this.#isInStrictPart = false
    if (this.places.all.length > first) this.strictParts.push([first, this.places.all.length])
  }

  #visitOnly(node: Node): void {
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
    forEachChild(node, this.#visitor)
  }

  /** The node that contains the one being visited. */
  get parent(): Node {
    return this.ancestors.at(-2)!
  }

  /** Where the expression being visited stands: what is around it and its parentheses and type assertions, and which part of that they are. */
  get standing(): { readonly parent: Node; readonly value: Node } {
    const at = this.ancestors.findLastIndex((node, i) => i < this.ancestors.length - 1 && !isTransparent(node))
    return { parent: this.ancestors[at]!, value: this.ancestors[at + 1]! }
  }

  /** `origin`: the position in the source that errors in the inserted text are shown at. */
  insert(at: number, text: string, origin = at): Insertion {
    return this.edits.insert(at, text, origin)
  }

  replace(start: number, end: number, text: string): void {
    this.edits.replace(start, end, text)
  }

  /** `before`, the node, `after`. `plain`: what stands around the plain expression beside it. */
  wrap(node: Node, before: string, after: string, plain?: Around): void {
    const write = (): void => {
      this.insert(node.start, before)
      this.visit(node)
      this.insert(node.end, after)
    }
    if (before.includes('__dpor')) this.#twin(node, write, plain)
    else write()
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

  /** Whether a value can be kept in a variable here. */
  get canKeep(): boolean {
    return this.temporaries.at(-1) !== undefined
  }

  /** Writes what stands where no variable can be declared. */
  withoutTemporaries(write: () => void): void {
    this.temporaries.push(undefined)
    write()
    this.temporaries.pop()
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
    const { block } = binding.scope
    const identity = binding.isUsedByParameters && !this.scopesAround.has(block) ? quote(`${this.file}:${block.start}`) : this.#identityOf(binding.scope)
    return `${identity}, ${quote(binding.name)}`
  }

  #identityOf(scope: Scope): string {
    if (scope.type === 'module') return quote(this.file)
    if (scope.type === 'global') return 'globalThis'
    return `${this.scopeIdentity(scope)} ??= __dpor.older()`
  }

  /** The variable that holds the identity of a scope. */
  scopeIdentity(scope: Scope): string {
    let identity = this.#identities.get(scope)
    if (identity === undefined) this.#identities.set(scope, (identity = this.names.freshScope()))
    return identity
  }

  /** A scope that begins outside of explorations gets its identity when somebody asks for it. */
  newScope(scope: Scope): string {
    return `${this.scopeIdentity(scope)} = __dporOn ? __dpor.scope() : void 0`
  }

  /** The declaration of the identity that variables of the scope are recorded under. */
  scopeDeclaration(node: Node): string {
    const scope = this.analysis.scope(node)
    return scope && this.analysis.hasRecorded(scope) ? `let ${this.newScope(scope)};` : ''
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

  /** The comments between two positions. */
  *commentsIn({ start, end }: Range): Iterable<Range> {
    for (let i = firstFrom(this.#comments, start, startOf); i < this.#comments.length && this.#comments[i]!.start < end; i++) yield this.#comments[i]!
  }

  #commentAt(position: number): Range | undefined {
    const comment = this.#comments[firstFrom(this.#comments, position + 1, startOf) - 1]
    return comment && position < comment.end ? comment : undefined
  }

  leave(node: Node, construct: string): void {
    const [line, column] = this.places.locate(node.start)
    this.unhandled.push({ line, column, construct })
  }
}
