import { forEachChild, isFunction, type Node } from '../1-parse/node.ts'
import { firstFrom, type Range } from '../1-parse/ranges.ts'

interface Suspension {
  position: number
  functionStart: number
}

const positionOf = ({ position }: Suspension): number => position

/** Where functions suspend and what they repeat. */
export class Flow {
  readonly #suspensions: Suspension[] = []
  readonly #repeated = new Set<Node>()
  #functionStart = -1
  #loops = 0

  constructor(program: Node) {
    this.#visit(program)
    this.#suspensions.sort((a, b) => a.position - b.position)
  }

  /** Whether the function that contains `node` can suspend while it evaluates it. */
  suspends(node: Range): boolean {
    for (let i = firstFrom(this.#suspensions, node.start, positionOf); i < this.#suspensions.length; i++) {
      const { position, functionStart } = this.#suspensions[i]!
      if (position >= node.end) return false
      if (functionStart < node.start) return true
    }
    return false
  }

  /** Whether any function of the file suspends before a position. */
  suspendsBefore(position: number): boolean {
    return firstFrom(this.#suspensions, position, positionOf) > 0
  }

  /** Whether a `var` declaration stands in a loop. */
  repeats(declaration: Node): boolean {
    return this.#repeated.has(declaration)
  }

  readonly #visitor = (node: Node): void => this.#visit(node)

  #visit(node: Node | null): void {
    if (!node || node.declare === true) return
    if (isFunction(node) || node.type === 'StaticBlock' || node.type === 'TSModuleBlock') return this.#apart(node, node)
    switch (node.type) {
      case 'Identifier': return
      case 'PropertyDefinition':
      case 'AccessorProperty':
        if (node.computed) this.#visit(node.key)
        return node.value ? this.#apart(node, node.value) : undefined
      case 'AwaitExpression':
      case 'YieldExpression':
        this.#suspend(node)
        break
      case 'VariableDeclaration':
        if (node.kind === 'await using') this.#suspend(node)
        if (node.kind === 'var' && this.#loops > 0) this.#repeated.add(node)
        break
      case 'WhileStatement':
      case 'DoWhileStatement': return this.#loop(node.test, node.body)
      case 'ForStatement':
        this.#visit(node.init)
        return this.#loop(node.test, node.update, node.body)
      case 'ForInStatement':
      case 'ForOfStatement':
        if (node.await) this.#suspend(node)
        this.#visit(node.right)
        return this.#loop(node.left, node.body)
      default:
    }
    forEachChild(node, this.#visitor)
  }

  #suspend(node: Node): void {
    this.#suspensions.push({ position: node.start, functionStart: this.#functionStart })
  }

  #loop(...repeated: (Node | null)[]): void {
    this.#loops++
    for (const node of repeated) this.#visit(node)
    this.#loops--
  }

  /** Code that runs on its own: not part of the enclosing function, nor of its loops. */
  #apart(owner: Node, code: Node): void {
    const [start, loops] = [this.#functionStart, this.#loops]
    this.#functionStart = owner.start
    this.#loops = 0
    if (code === owner) forEachChild(code, this.#visitor)
    else this.#visit(code)
    this.#functionStart = start
    this.#loops = loops
  }
}
