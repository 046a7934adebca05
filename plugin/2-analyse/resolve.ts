import { forEachChild, type Node, unwrap } from '../1-parse/node.ts'
import { type Definition, type Reference, Scope, type ScopeType } from './scopes.ts'

/** The scopes of a file, their variables and the references to them. */
export interface Scopes {
  readonly all: readonly Scope[]
  /** The innermost scope that a node makes. */
  readonly of: ReadonlyMap<Node, Scope>
  /** What is declared nowhere in the file. */
  readonly unresolved: readonly Reference[]
}

/** For scopes it makes no difference whether a file is a module. `eval` and `with` may do anything to names; nothing else can be said about them. */
export function resolve(program: Node): Scopes {
  return new Resolver(program)
}

/** Is given a name in a pattern and the defaults that stand around it. */
type Target = (identifier: Node, defaults: readonly Node[]) => void

class Resolver implements Scopes {
  readonly all: Scope[] = []
  readonly of = new Map<Node, Scope>()
  readonly unresolved: readonly Reference[]
  #scope: Scope

  constructor(program: Node) {
    const outermost = this.#scope = this.#open('global', program)
    this.#within('module', program, () => forEachChild(program, this.#visit))
    this.unresolved = outermost.unresolved
  }

  #open(type: ScopeType, block: Node, upper?: Scope): Scope {
    const scope = new Scope(type, block, upper)
    this.all.push(scope)
    this.of.set(block, scope)
    return scope
  }

  #within(type: ScopeType, block: Node, visit: () => void): void {
    const upper = this.#scope
    const scope = this.#scope = this.#open(type, block, upper)
    visit()
    scope.close()
    this.#scope = upper
  }

  readonly #visit = (node: Node | null | undefined): void => {
    // Declarations of what exists elsewhere are types.
    if (!node || node.declare === true) return
    switch (node.type) {
      case 'Identifier': return this.#refer(node, { reads: true })
      case 'MemberExpression':
        this.#visit(node.object)
        return node.computed ? this.#visit(node.property) : undefined
      case 'AssignmentExpression': return this.#assignment(node)
      case 'UpdateExpression': return this.#update(node)
      case 'VariableDeclaration': return this.#declarations(node)
      case 'FunctionDeclaration':
        this.#name(node, 'FunctionName')
        return this.#function(node)
      case 'FunctionExpression':
        if (!node.id) return this.#function(node)
        return this.#within('function-expression-name', node, () => {
          this.#name(node, 'FunctionName')
          this.#function(node)
        })
      case 'ArrowFunctionExpression': return this.#function(node)
      case 'ClassDeclaration':
      case 'ClassExpression': return this.#class(node)
      case 'Property':
      case 'MethodDefinition':
        if (node.computed) this.#visit(node.key)
        return this.#visit(node.value)
      case 'PropertyDefinition':
      case 'AccessorProperty':
        if (node.computed) this.#visit(node.key)
        return node.value ? this.#within('class-field-initializer', node.value, () => this.#visit(node.value)) : undefined
      case 'BlockStatement': return this.#within('block', node, () => forEachChild(node, this.#visit))
      // The variables of a namespace are those of a block that runs once.
      case 'StaticBlock':
      case 'TSModuleBlock': return this.#within('class-static-block', node, () => forEachChild(node, this.#visit))
      case 'ForStatement': return this.#for(node, node.init)
      case 'ForInStatement':
      case 'ForOfStatement': return this.#forEach(node)
      case 'SwitchStatement':
        this.#visit(node.discriminant)
        return this.#within('switch', node, () => (node.cases as Node[]).forEach(this.#visit))
      case 'CatchClause': return this.#catch(node)
      case 'LabeledStatement': return this.#visit(node.body)
      case 'BreakStatement':
      case 'ContinueStatement':
      case 'MetaProperty':
      case 'ExportAllDeclaration': return
      case 'ImportDeclaration':
        for (const specifier of (node.specifiers ?? []) as Node[]) this.#scope.define({ type: 'ImportBinding', name: specifier.local, node: specifier, parent: node })
        return
      case 'ExportNamedDeclaration':
        if (node.source) return
        break
      case 'ExportSpecifier': return this.#visit(node.local)
      case 'TSModuleDeclaration':
        this.#named(node)
        return node.body?.type === 'TSModuleBlock' ? this.#visit(node.body) : undefined
      case 'TSEnumDeclaration':
      case 'TSImportEqualsDeclaration': return this.#named(node)
      default:
    }
    forEachChild(node, this.#visit)
  }

  #refer(identifier: Node, { reads = false, writes = false, written = null, isPart = false, isInit = false }: Partial<Reference>): void {
    this.#scope.refer({ identifier, from: this.#scope, reads, writes, written, isPart, isInit })
  }

  /** Visits a pattern, or another target of an assignment. */
  #pattern(pattern: Node, target: Target): void {
    namesIn(pattern, target).forEach(this.#visit)
  }

  /** The values that defaults give a name. */
  #defaults(identifier: Node, defaults: readonly Node[], isInit: boolean): void {
    for (const { left, right } of defaults) this.#refer(identifier, { writes: true, written: right, isPart: identifier !== left, isInit })
  }

  #assignment(node: Node): void {
    const target = unwrap(node.left)
    if (target.type === 'MemberExpression') this.#visit(target)
    else if (node.operator !== '=') this.#refer(target, { reads: true, writes: true, written: node.right })
    else {
      this.#pattern(target, (identifier, defaults) => {
        this.#defaults(identifier, defaults, false)
        this.#refer(identifier, { writes: true, written: node.right, isPart: identifier !== target })
      })
    }
    this.#visit(node.right)
  }

  #update(node: Node): void {
    const target = unwrap(node.argument)
    if (target.type === 'Identifier') this.#refer(target, { reads: true, writes: true })
    else this.#visit(target)
  }

  #declarations(declaration: Node): void {
    const scope = declaration.kind === 'var' ? this.#scope.variableScope : this.#scope
    for (const declarator of declaration.declarations as Node[]) {
      const { id, init } = declarator
      this.#pattern(id, (identifier, defaults) => {
        scope.define({ type: 'Variable', name: identifier, node: declarator, parent: declaration })
        this.#defaults(identifier, defaults, true)
        if (init) this.#refer(identifier, { writes: true, written: init, isPart: identifier !== id, isInit: true })
      })
      this.#visit(init)
    }
  }

  /** The name of a function or class, where it has one. */
  #name(node: Node, type: Definition['type']): void {
    if (node.id) this.#scope.define({ type, name: node.id, node, parent: node })
  }

  #function(node: Node): void {
    this.#within('function', node, () => {
      if (node.type !== 'ArrowFunctionExpression') this.#scope.variable('arguments')
      for (const parameter of node.params as Node[]) this.#parameter(parameter, node, 'Parameter')
      // Its block is that of the function.
      if (node.body?.type === 'BlockStatement') forEachChild(node.body, this.#visit)
      else this.#visit(node.body)
    })
  }

  #parameter(parameter: Node, node: Node, type: Definition['type']): void {
    this.#pattern(parameter, (identifier, defaults) => {
      this.#scope.define({ type, name: identifier, node, parent: node })
      this.#defaults(identifier, defaults, true)
    })
  }

  #class(node: Node): void {
    if (node.type === 'ClassDeclaration') this.#name(node, 'ClassName')
    this.#within('class', node, () => {
      this.#name(node, 'ClassName')
      this.#visit(node.superClass)
      this.#visit(node.body)
    })
  }

  #catch(node: Node): void {
    this.#within('catch', node, () => {
      if (node.param) this.#parameter(node.param, node, 'CatchClause')
      this.#visit(node.body)
    })
  }

  /** A loop that declares variables has a scope for them. */
  #for(loop: Node, head: Node | null): void {
    const visit = (): void => forEachChild(loop, this.#visit)
    if (head?.type === 'VariableDeclaration' && head.kind !== 'var') this.#within('for', loop, visit)
    else visit()
  }

  #forEach(loop: Node): void {
    const { left, right, body } = loop
    const isDeclaration = left.type === 'VariableDeclaration'
    const visit = (): void => {
      if (isDeclaration) this.#visit(left)
      const others = namesIn(isDeclaration ? left.declarations[0].id : left, (identifier, defaults) => {
        if (!isDeclaration) this.#defaults(identifier, defaults, false)
        this.#refer(identifier, { writes: true, written: right, isPart: true, isInit: isDeclaration })
      })
      if (!isDeclaration) others.forEach(this.#visit)
      this.#visit(right)
      this.#visit(body)
    }
    if (isDeclaration && left.kind !== 'var') this.#within('for', loop, visit)
    else visit()
  }

  /** Of a namespace, an enumeration or an import by TypeScript's own keywords: a constant. */
  #named({ id }: Node): void {
    if (id.type !== 'Identifier') return
    const node = { type: 'VariableDeclarator', id, init: null, start: id.start, end: id.end }
    this.#scope.define({ type: 'Variable', name: id, node, parent: { type: 'VariableDeclaration', kind: 'const', declarations: [node], start: id.start, end: id.end } })
  }
}

/** Hands over the names in a pattern. Returns what it evaluates besides: keys, defaults and objects of properties. */
function namesIn(pattern: Node, target: Target): Node[] {
  const others: Node[] = []
  const visit = (node: Node | null, defaults: readonly Node[]): void => {
    if (!node) return
    switch (node.type) {
      case 'Identifier': return target(node, defaults)
      case 'Property':
        if (node.computed) others.push(node.key)
        return visit(node.value, defaults)
      case 'AssignmentPattern':
        visit(node.left, [...defaults, node])
        others.push(node.right)
        return
      case 'MemberExpression':
        if (node.computed) others.push(node.property)
        others.push(node.object)
        return
      default: return forEachChild(node, (child) => visit(child, defaults))
    }
  }
  visit(pattern, [])
  return others
}
