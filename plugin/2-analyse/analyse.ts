import { forEachChild, isFunction, type Node, unwrap } from '../1-parse/node.ts'
import { type Binding, type BindingKind, isRecorded, Scope } from './scope.ts'

interface Reference {
  identifier: Node
  scope: Scope
  writes: boolean
  /** The loop in whose update clause it stands: `for (let i = 0; ; i++)` makes a new `i` there. */
  updates: Scope | undefined
}

interface Suspension {
  position: number
  functionStart: number
}

/** What the rewriting must know about names and about where functions suspend. */
export class Analysis {
  readonly #bindings = new Map<Node, Binding>()
  readonly #scopes = new Map<Node, Scope>()
  readonly #suspensions: readonly Suspension[]

  constructor(program: Node) {
    const walk = new Walk(program, this.#scopes)
    for (const reference of walk.references) {
      const binding = reference.scope.find(reference.identifier.name as string)
      if (!binding) continue
      this.#bindings.set(reference.identifier, binding)
      if (binding.scope.owner !== reference.scope.owner) binding.captured = true
      if (reference.writes && binding.scope !== reference.updates) binding.reassigned = true
    }
    this.#suspensions = walk.suspensions
  }

  /** What an identifier refers to; undefined for globals. */
  binding(identifier: Node): Binding | undefined {
    return this.#bindings.get(identifier)
  }

  scope(node: Node): Scope | undefined {
    return this.#scopes.get(node)
  }

  hasRecorded(scope: Scope): boolean {
    for (const binding of scope.bindings.values()) if (isRecorded(binding)) return true
    return false
  }

  /** Whether the function that contains `node` can suspend while it evaluates it. */
  suspends(node: Node): boolean {
    let low = 0
    let high = this.#suspensions.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#suspensions[middle]!.position < node.start) low = middle + 1
      else high = middle
    }
    for (let i = low; i < this.#suspensions.length; i++) {
      const { position, functionStart } = this.#suspensions[i]!
      if (position >= node.end) return false
      if (functionStart < node.start) return true
    }
    return false
  }
}

/** The names that a pattern binds. */
export function boundNames(pattern: Node | null): Node[] {
  if (!pattern) return []
  switch (pattern.type) {
    case 'Identifier': return [pattern]
    case 'ObjectPattern': return (pattern.properties as Node[]).flatMap((property) => boundNames(property.type === 'RestElement' ? property.argument : property.value))
    case 'ArrayPattern': return (pattern.elements as (Node | null)[]).flatMap(boundNames)
    case 'AssignmentPattern': return boundNames(pattern.left)
    case 'RestElement': return boundNames(pattern.argument)
    case 'TSParameterProperty': return boundNames(pattern.parameter)
    default: return []
  }
}

/** One pass over the tree that declares names and collects the places where they are used. */
class Walk {
  readonly references: Reference[] = []
  readonly suspensions: Suspension[] = []
  #scope: Scope
  #updates: Scope | undefined
  #functionStart = -1
  #loops = 0
  readonly #scopes: Map<Node, Scope>

  constructor(program: Node, scopes: Map<Node, Scope>) {
    this.#scopes = scopes
    this.#scope = new Scope(program, undefined, program, undefined)
    scopes.set(program, this.#scope)
    this.#all(program.body)
    this.suspensions.sort((a, b) => a.position - b.position)
  }

  #all(nodes: readonly (Node | null)[]): void {
    for (const node of nodes) this.#visit(node)
  }

  #inside(node: Node, body: () => void, options: { owner?: Node; hoists?: boolean } = {}): void {
    const outer = this.#scope
    const hoistsTo = options.hoists ? undefined : (outer.hoistsTo ?? outer)
    this.#scope = new Scope(node, outer, options.owner ?? outer.owner, hoistsTo)
    this.#scopes.set(node, this.#scope)
    body()
    this.#scope = outer
  }

  /** Code that runs on its own: not part of the enclosing function, nor of its loops. */
  #apart(node: Node, body: () => void): void {
    const [start, loops, updates] = [this.#functionStart, this.#loops, this.#updates]
    this.#functionStart = node.start
    this.#loops = 0
    this.#updates = undefined
    body()
    this.#functionStart = start
    this.#loops = loops
    this.#updates = updates
  }

  #refer(identifier: Node, writes: boolean): void {
    this.references.push({ identifier, scope: this.#scope, writes, updates: this.#updates })
  }

  #suspend(position: number): void {
    this.suspensions.push({ position, functionStart: this.#functionStart })
  }

  #visit(node: Node | null | undefined): void {
    if (!node) return
    if (node.declare === true) return
    if (isFunction(node)) return this.#function(node)
    switch (node.type) {
      case 'Identifier': return this.#refer(node, false)
      case 'ClassDeclaration':
      case 'ClassExpression': return this.#class(node)
      case 'PropertyDefinition':
      case 'AccessorProperty': return this.#field(node)
      case 'StaticBlock': return this.#apart(node, () => this.#inside(node, () => this.#all(node.body), { owner: node, hoists: true }))
      case 'BlockStatement': return this.#inside(node, () => this.#all(node.body))
      case 'TSModuleDeclaration': return this.#namespace(node)
      case 'VariableDeclaration': return this.#variables(node)
      case 'AssignmentExpression':
        this.#target(node.left, node.operator !== '=')
        return this.#visit(node.right)
      case 'UpdateExpression': return this.#target(node.argument, true)
      case 'ForStatement': return this.#for(node)
      case 'ForInStatement':
      case 'ForOfStatement': return this.#forEach(node)
      case 'WhileStatement':
      case 'DoWhileStatement': return this.#loop(() => forEachChild(node, (child) => this.#visit(child)))
      case 'SwitchStatement':
        this.#visit(node.discriminant)
        return this.#inside(node, () => this.#all(node.cases))
      case 'CatchClause': return this.#inside(node, () => {
        this.#declare(node.param, 'catch')
        this.#visit(node.body)
      })
      case 'AwaitExpression':
      case 'YieldExpression':
        this.#suspend(node.start)
        return this.#visit(node.argument)
      case 'MemberExpression':
        this.#visit(node.object)
        return node.computed ? this.#visit(node.property) : undefined
      case 'Property':
      case 'MethodDefinition':
        if (node.computed) this.#visit(node.key)
        return this.#visit(node.value)
      case 'LabeledStatement': return this.#visit(node.body)
      case 'ImportDeclaration': return this.#imports(node)
      case 'TSImportEqualsDeclaration':
      case 'TSEnumDeclaration':
        this.#scope.declare(node.id.name, 'name')
        return
      case 'BreakStatement':
      case 'ContinueStatement':
      case 'MetaProperty':
      case 'ExportAllDeclaration': return
      case 'ExportNamedDeclaration': return this.#visit(node.declaration)
      default: return forEachChild(node, (child) => this.#visit(child))
    }
  }

  #function(node: Node): void {
    if (node.type === 'FunctionDeclaration' && node.id) this.#scope.declare(node.id.name, 'function')
    const named = node.type === 'FunctionExpression' && node.id
    const inner = (): void => this.#apart(node, () => this.#inside(node, () => {
      for (const parameter of node.params as Node[]) this.#declare(parameter, 'parameter')
      if (node.body?.type !== 'BlockStatement') return this.#visit(node.body)
      if ((node.params as Node[]).every((parameter) => parameter.type === 'Identifier')) {
        this.#scopes.set(node.body, this.#scope)
        return this.#all(node.body.body)
      }
      this.#inside(node.body, () => this.#all(node.body.body), { hoists: true })
    }, { owner: node, hoists: true }))
    if (!named) return inner()
    this.#inside(node.id, () => {
      this.#scope.declare(node.id.name, 'name')
      inner()
    })
  }

  #class(node: Node): void {
    if (node.type === 'ClassDeclaration' && node.id) this.#scope.declare(node.id.name, 'class')
    this.#inside(node, () => {
      if (node.id) this.#scope.declare(node.id.name, 'name')
      this.#visit(node.superClass)
      this.#visit(node.body)
    })
  }

  #field(node: Node): void {
    if (node.computed) this.#visit(node.key)
    const value = node.value as Node | null
    if (value) this.#apart(node, () => this.#inside(node, () => this.#visit(value), { owner: node, hoists: true }))
  }

  #namespace(node: Node): void {
    if (node.id.type === 'Identifier') this.#scope.declare(node.id.name, 'name')
    const body = node.body as Node | null
    if (body?.type === 'TSModuleBlock') this.#apart(node, () => this.#inside(body, () => this.#all(body.body), { owner: node, hoists: true }))
  }

  #variables(node: Node): void {
    const kind: BindingKind = node.kind === 'var' || node.kind === 'let' ? node.kind : 'const'
    if (node.kind === 'await using') this.#suspend(node.start)
    for (const declarator of node.declarations as Node[]) {
      const again = kind === 'var' && boundNames(declarator.id).some((name) => this.#hoisting.bindings.has(name.name))
      this.#declare(declarator.id, kind)
      if (declarator.init) this.#visit(declarator.init)
      // A `var` has one instance for the whole function: initialising it again changes it.
      if (kind !== 'var' || !declarator.init) continue
      if (again || this.#loops > 0 || this.suspensions.length > 0)
        for (const name of boundNames(declarator.id)) this.#refer(name, true)
    }
  }

  get #hoisting(): Scope {
    return this.#scope.hoistsTo ?? this.#scope
  }

  /** Declares the names of a pattern and visits its defaults and computed keys. */
  #declare(pattern: Node | null, kind: BindingKind): void {
    if (!pattern) return
    switch (pattern.type) {
      case 'Identifier':
        void (kind === 'var' ? this.#hoisting : this.#scope).declare(pattern.name, kind)
        return
      case 'ObjectPattern':
        for (const property of pattern.properties as Node[]) {
          if (property.type === 'Property' && property.computed) this.#visit(property.key)
          this.#declare(property.type === 'RestElement' ? property.argument : property.value, kind)
        }
        return
      case 'ArrayPattern':
        for (const element of pattern.elements as (Node | null)[]) this.#declare(element, kind)
        return
      case 'AssignmentPattern':
        this.#declare(pattern.left, kind)
        return this.#visit(pattern.right)
      case 'RestElement': return this.#declare(pattern.argument, kind)
      case 'TSParameterProperty': return this.#declare(pattern.parameter, kind)
      default:
    }
  }

  /** What stands left of an assignment. */
  #target(target: Node, reads: boolean): void {
    const inner = unwrap(target)
    switch (inner.type) {
      case 'Identifier': return this.#refer(inner, true)
      case 'ObjectPattern':
        for (const property of inner.properties as Node[]) {
          if (property.type === 'Property' && property.computed) this.#visit(property.key)
          this.#target(property.type === 'RestElement' ? property.argument : property.value, reads)
        }
        return
      case 'ArrayPattern':
        for (const element of inner.elements as (Node | null)[]) if (element) this.#target(element, reads)
        return
      case 'AssignmentPattern':
        this.#target(inner.left, reads)
        return this.#visit(inner.right)
      case 'RestElement': return this.#target(inner.argument, reads)
      default: return this.#visit(inner)
    }
  }

  #loop(body: () => void): void {
    this.#loops++
    body()
    this.#loops--
  }

  #for(node: Node): void {
    this.#inside(node, () => {
      this.#visit(node.init)
      this.#loop(() => {
        this.#visit(node.test)
        const updates = this.#updates
        this.#updates = this.#scope
        this.#visit(node.update)
        this.#updates = updates
        this.#visit(node.body)
      })
    })
  }

  #forEach(node: Node): void {
    if (node.await) this.#suspend(node.start)
    this.#inside(node, () => {
      this.#loop(() => {
        if (node.left.type === 'VariableDeclaration') {
          this.#variables(node.left)
          if (node.left.kind === 'var') for (const name of boundNames(node.left.declarations[0].id)) this.#refer(name, true)
        } else this.#target(node.left, false)
      })
      this.#visit(node.right)
      this.#loop(() => this.#visit(node.body))
    })
  }

  #imports(node: Node): void {
    for (const specifier of node.specifiers as Node[]) {
      const imported = specifier.type === 'ImportNamespaceSpecifier' ? '*' : (specifier.imported?.name ?? specifier.imported?.value ?? 'default')
      this.#scope.declare(specifier.local.name, 'import', { source: node.source.value, imported })
    }
  }
}
