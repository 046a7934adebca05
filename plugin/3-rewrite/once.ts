import { forEachChild, isFunction, type Node } from '../1-parse/node.ts'
import { firstFrom, startOf, type Range } from '../1-parse/ranges.ts'
import { makesFunctions } from './function-makers.ts'
import { isOfVitest } from './globals.ts'
import { LeafFunctions } from './leaf-functions.ts'
import { LocalLiterals } from './local-literals.ts'
import { isQuiet } from './order.ts'
import type { Rewriting } from './rewriting.ts'

/** Expressions that may not be written twice, or would be too long. */
const types = new Set([
  'ArrowFunctionExpression', 'FunctionExpression', 'ClassExpression', 'AwaitExpression', 'YieldExpression', 'ImportExpression', 'MetaProperty',
  // A line break is text there.
  'JSXElement', 'JSXFragment',
])

/** What may stand only once in a file, or what can be evaluated before the expression that it is a part of, so that this may stand twice. */
interface Part {
  readonly start: number
  /** Of what can be evaluated before; else its start. */
  readonly end: number
  /** What is evaluated only if it is. */
  readonly branch: Range | undefined
}

/** What may stand only once in a file, and what is evaluated before an expression that stands twice. */
export class Once {
  readonly #parts: Part[] = []
  readonly #hoisted = new Set<Node>()
  readonly leaves = new LeafFunctions()
  readonly localLiterals = new LocalLiterals()
  /** Of private members that are read, by name. Those of async methods get the prototype of such a function when they are read. */
  readonly #private: { readonly name: string; readonly position: number }[] = []
  readonly #asyncMethods = new Set<string>()
  readonly #r: Rewriting
  /** Whether `super` is that of an async generator, whose body is a function of its own. */
  #isApart = false
  /** The part of an expression that is evaluated on a condition. */
  #branch: Range | undefined

  constructor(program: Node, r: Rewriting) {
    this.#r = r
    this.#visit(program)
    if (this.#asyncMethods.size === 0) return
    for (const { name, position } of this.#private) if (this.#asyncMethods.has(name)) this.#parts.push({ start: position, end: position, branch: undefined })
    this.#parts.sort((a, b) => a.start - b.start)
  }

  /** Whether a part of the source may be written twice, once what can be has been evaluated before it, if `canHoist`. */
  isNotIn({ start, end }: Range, { canHoist }: { readonly canHoist: boolean }): boolean {
    let i = firstFrom(this.#parts, start, startOf)
    for (let part = this.#parts[i]; part && part.start < end; part = this.#parts[i]) {
      if (part.end === part.start || !canHoist || part.start === start || (part.branch && (part.branch.start > start || part.branch.end < end))) return false
      i = firstFrom(this.#parts, part.end, startOf)
    }
    return true
  }

  /** Whether it is evaluated before the expression that it is a part of. */
  isHoisted(node: Node): boolean {
    return this.#hoisted.has(node)
  }

  readonly #visitor = (node: Node): void => this.#visit(node)

  #visit(node: Node): void {
    this.leaves.look(node)
    this.localLiterals.look(node)
    const count = this.#parts.length
    if (this.#hoisted.has(node) && isLiteral(node)) {
      forEachChild(node, this.#visitor)
      // One that may itself stand twice does.
      if (this.#parts.length === count) this.#hoisted.delete(node)
      else this.#parts.splice(count, 0, this.#wholeOf(node))
      return
    }
    if (this.#hoisted.has(node)) this.#parts.push(this.#wholeOf(node))
    else if (this.#isOnce(node)) this.#addOnce(node.start)
    switch (node.type) {
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression': return this.#function(node)
      case 'TaggedTemplateExpression':
        // Each place where it stands has its own array of strings.
        this.#visit(node.tag)
        this.#addOnce(node.quasi.start)
        return this.#visit(node.quasi)
      case 'MemberExpression':
        if (isBind(node)) {
          this.#visit(node.object)
          return this.#addOnce(node.property.start)
        }
        break
      case 'CallExpression':
      case 'NewExpression':
        for (const argument of node.arguments as Node[]) if (isFunction(argument) || (isLiteral(argument) && isQuiet(argument, this.#r))) this.#hoisted.add(argument)
        break
      case 'LogicalExpression':
        this.#visit(node.left)
        return this.#inBranch(node.right)
      case 'ConditionalExpression':
        this.#visit(node.test)
        this.#inBranch(node.consequent)
        return this.#inBranch(node.alternate)
      case 'AssignmentPattern':
        this.#visit(node.left)
        return this.#inBranch(node.right)
      case 'AssignmentExpression':
        this.#visit(node.left)
        return node.operator === '??=' || node.operator === '||=' || node.operator === '&&=' ? this.#inBranch(node.right) : this.#visit(node.right)
      default:
    }
    forEachChild(node, this.#visitor)
  }

  #addOnce(position: number): void {
    this.#parts.push({ start: position, end: position, branch: undefined })
  }

  #wholeOf({ start, end }: Node): Part {
    return { start, end, branch: this.#branch }
  }

  #function(node: Node): void {
    const [isApart, branch] = [this.#isApart, this.#branch]
    if (node.type !== 'ArrowFunctionExpression') this.#isApart = node.async === true && node.generator === true
    this.#branch = undefined
    this.leaves.function(node, () => forEachChild(node, this.#visitor))
    this.#isApart = isApart
    this.#branch = branch
  }

  #inBranch(node: Node): void {
    const branch = this.#branch
    this.#branch = node
    this.#visit(node)
    this.#branch = branch
  }

  #isOnce(node: Node): boolean {
    if (this.#hasLinesOfTypes(node)) return true
    switch (node.type) {
      case 'Identifier': return isOfVitest(node, this.#r)
      case 'PrivateIdentifier':
        this.#private.push({ name: node.name as string, position: node.start })
        return false
      case 'MethodDefinition':
        if (node.key.type === 'PrivateIdentifier' && node.value.async) this.#asyncMethods.add(node.key.name as string)
        return false
      case 'Super': return this.#isApart
      case 'CallExpression': return node.callee.type === 'Super' || makesFunctions(node.callee)
      case 'NewExpression': return makesFunctions(node.callee)
      case 'TemplateLiteral':
      case 'Literal': return (node.type === 'TemplateLiteral' || typeof node.value === 'string') && this.#r.text(node).includes('\n')
      default: return types.has(node.type)
    }
  }

  /** Line breaks may be what separates the members of a type. */
  #hasLinesOfTypes({ typeArguments, typeAnnotation }: Node): boolean {
    const written = (typeArguments ?? typeAnnotation) as Node | null | undefined
    return Boolean(written) && this.#r.text(written!).includes('\n')
  }
}

/** What is bound by code that is not instrumented may be anything. */
const isBind = ({ computed, property }: Node): boolean => !computed && property.name === 'bind'

const isLiteral = (node: Node): boolean => node.type === 'ObjectExpression' || node.type === 'ArrayExpression'
