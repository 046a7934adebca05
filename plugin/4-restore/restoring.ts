import { forEachChild, isFunction, type Node } from '../1-parse/node.ts'
import { asMethod, functionText, isDeclaredLater } from './functions.ts'
import { isCallOf, isFlag, nameOf, withoutParentheses } from './shapes.ts'
import { accesses, isLoose, referenceText } from './accesses.ts'
import { catchText, declarationText, isAddedMember, isAddedStatement, statementsText } from './statements.ts'

/** The argument of a function of the runtime that stands for its result. */
const passedOn: Readonly<Record<string, number>> = {
  made: 0, closure: 0, asynchronous: 0, iterable: 0, asyncIterable: 0, enumerate: 0, returned: 0, coerced: 0, suspend: 0, pair: 0, settles: 0, base: 0, showing: 0, look: 0, waits: 0, callee: 0,
  pattern: 0, iterate: 0, iterateAsync: 0, defined: 1, global: 2, live: 2, read: 3, privateGet: 3, write: 4, privateSet: 4,
}

const operatorBefore = /(?:(?<!=)>|[-+*/%&|^<!~.]|\?\?|\b(?:typeof|void|delete|await|in|instanceof|new|extends))\s*$/
const operatorAfter = /^\s*(?:[-+*/%&|^<>!?.([`]|=[^>]|in\b|instanceof\b)/

/** What only tells the runtime something. */
const told = new Set(['again', 'recurs', 'builtIn', 'increments', 'forwards'])

/** Writes nodes of a text that is run as they were before it was rewritten. */
export class Restoring {
  readonly source: string
  /** What stands for a part of an expression that is evaluated before it. */
  readonly #parts = new Map<string, Node>()
  readonly #unnamed = new Set<Node>()
  /** The variables that were put in. */
  readonly #added: RegExp

  constructor(source: string) {
    this.source = source
    const prefix = /(\$+)dpor\b/.exec(source)?.[1] ?? /__dpor\.\w+\((\$+)\d/.exec(source)?.[1] ?? '$'
    this.#added = new RegExp(`^${prefix.replaceAll('$', String.raw`\$`)}(?:s?\\d+|dpor(?:_\\w*)?)$`)
  }

  isAdded(node: Node | null | undefined): boolean {
    return node?.type === 'Identifier' && this.#added.test(node.name as string)
  }

  /** Whether a variable that was put in is still there. */
  isLeftIn(text: string): boolean {
    return (text.match(/\$+\w+/g) ?? []).some((name) => this.#added.test(name))
  }

  slice(start: number, end: number): string {
    return this.source.slice(start, end)
  }

  text(node: Node): string {
    return this.#special(node) ?? this.around(node)
  }

  /** The node with each of its children restored. */
  around(node: Node, { start, end }: { readonly start: number; readonly end: number } = node): string {
    const children: Node[] = []
    forEachChild(node, (child) => {
      if (child.start >= start && child.end <= end) children.push(child)
    })
    return this.between(children.toSorted((a, b) => a.start - b.start), { start, end })
  }

  /** Nodes, and what stands between them. */
  between(nodes: readonly Node[], { start, end }: { readonly start: number; readonly end: number }): string {
    let text = ''
    let position = start
    for (const node of nodes) {
      // `import { a }` has both names in one place.
      if (node.start < position) continue
      const written = this.text(node)
      const before = this.slice(position, node.start)
      // The space that followed the keyword.
      text += (written.startsWith('async ') && /[([{!\s] $/.test(before) ? before.slice(0, -1) : before) + written
      position = node.end
    }
    return text + this.slice(position, end)
  }

  #special(node: Node): string | undefined {
    switch (node.type) {
      case 'Identifier': return this.#part(node)
      case 'ParenthesizedExpression': return this.#parenthesized(node)
      case 'ConditionalExpression': return isFlag(node.test as Node) ? this.text(node.alternate as Node) : this.#chain(node)
      case 'SequenceExpression': return this.#sequence(node)
      case 'LogicalExpression': return this.#logical(node)
      case 'CallExpression': return this.#call(node)
      case 'ExpressionStatement': return this.#expressionStatement(node)
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
      case 'FunctionDeclaration': return isDeclaredLater(node, this) ? asMethod(declaredIn(node), this, true) : functionText(node, this)
      case 'MemberExpression': return referenceText(node, this)
      case 'Property': return this.#property(node)
      case 'MethodDefinition': return asMethod(node, this)
      case 'VariableDeclaration': return declarationText(node, this)
      case 'CatchClause': return catchText(node, this)
      case 'ForStatement': return this.#forStatement(node)
      case 'Program':
      case 'BlockStatement':
      case 'StaticBlock': return this.#block(node)
      case 'SwitchCase': return this.#switchCase(node)
      case 'ClassBody': return statementsText((node.body as Node[]), { around: node, isAdded: (member) => isAddedMember(member, this) }, this)
      default: return undefined
    }
  }

  /** `{ a = b }` has the key and the value in one place. */
  #property(node: Node): string | undefined {
    if (isFunction(node.value as Node) && (node.method || node.kind !== 'init')) return asMethod(node, this)
    return node.shorthand ? this.text(node.value as Node) : undefined
  }

  #part(node: Node): string | undefined {
    const part = this.#parts.get(node.name as string)
    return part && this.text(part)
  }

  /** The parentheses that were put around what stands twice are gone where the plain expression stood without. */
  #parenthesized(node: Node): string | undefined {
    const inner = withoutParentheses(node)
    const plain = this.#plainOf(inner)
    if (plain === undefined) return undefined
    // A compiler may have taken away those of the plain expression instead.
    return isLoose(this.#plainNode(inner)) && this.#isOperand(node) ? `(${plain})` : plain
  }

  #plainNode(node: Node): Node {
    if (node.type === 'ConditionalExpression' && isFlag(node.test as Node)) return this.#plainNode(node.alternate as Node)
    if (node.type === 'SequenceExpression') return this.#plainNode(node.expressions.at(-1) as Node)
    const part = node.type === 'Identifier' ? this.#parts.get(node.name as string) : undefined
    return part ? this.#plainNode(part) : node
  }

  /** Whether an operator stands before it or after it. */
  #isOperand({ start, end }: Node): boolean {
    const before = this.slice(Math.max(0, start - 20), start)
    const after = this.slice(end, end + 20)
    return (!/\*\/\s*$/.test(before) && operatorBefore.test(before)) || (!/^\s*\/[/*]/.test(after) && operatorAfter.test(after))
  }

  #plainOf(inner: Node): string | undefined {
    if (/^(?:Conditional|Sequence|Logical)Expression$/.test(inner.type)) return this.#special(inner)
    return inner.type === 'AssignmentExpression' && this.isAdded(inner.left as Node) ? this.text(inner.right as Node) : undefined
  }

  /** `($1 = e) == null ? void 0 : $1.a` */
  #chain({ test, alternate }: Node): string | undefined {
    if (test.type !== 'BinaryExpression' || test.operator !== '==') return undefined
    const { left, right } = withoutParentheses(test.left as Node)
    if (!this.isAdded(left as Node | undefined)) return undefined
    return this.#goesOn({ name: left.name as string, value: right as Node, rest: alternate as Node, by: '?.' })
  }

  /** What begins with a variable that was put in has this value in its place. */
  #goesOn({ name, value, rest, by }: { readonly name: string; readonly value: Node; readonly rest: Node; readonly by: '?.' | '.' }): string | undefined {
    const written = this.text(withoutParentheses(rest))
    const removes = written.startsWith(`delete ${name}`) ? 'delete ' : ''
    const after = written.slice(removes.length + name.length)
    if (!written.startsWith(removes + name) || /^[\w$]/.test(after)) return undefined
    const text = this.text(value)
    const before = isLoose(this.#plainNode(withoutParentheses(value))) && value.type !== 'ParenthesizedExpression' ? `(${text})` : text
    return `${removes}${before}${after.startsWith('.') ? by + after.slice(1) : by + after}`
  }

  /** `__dpor.optional(o, ($1) => $1.a)` */
  #goesOnInFunction([value, rest]: readonly Node[], by: '?.' | '.'): string | undefined {
    const name = rest?.type === 'ArrowFunctionExpression' ? (rest.params[0]?.name as string | undefined) : undefined
    return name === undefined ? undefined : this.#goesOn({ name, value: value!, rest: rest!.body as Node, by })
  }

  /** `__dpor.callIf(o, 'm', site, () => [a], ($1) => $1.b)` */
  #callIf([object, key, , given, rest]: readonly Node[]): string | undefined {
    const list = given?.type === 'ArrowFunctionExpression' ? withoutParentheses(given.body as Node) : undefined
    if (list?.type !== 'ArrayExpression') return undefined
    const method = accesses['get']!([object!, key!], this)!.text
    const call = `${method}?.(${this.between(list.elements as Node[], { start: list.start + 1, end: list.end - 1 })})`
    if (rest?.type !== 'ArrowFunctionExpression') return call
    const name = rest.params[0].name as string
    const written = this.text(withoutParentheses(rest.body as Node))
    return written.startsWith(name) ? call + written.slice(name.length) : undefined
  }

  /** `$1 = (0, e), __dporOn ? a : b` */
  #sequence(node: Node): string | undefined {
    const expressions = node.expressions as Node[]
    const kept = expressions.filter((expression) => !this.#takesAside(expression))
    if (kept.length === expressions.length) return undefined
    if (kept.length === 0) return ''
    return kept.map((expression) => this.text(expression)).join(', ')
  }

  /** Whether it is a part of what follows, evaluated before it, which is kept for that; or what is only told. */
  #takesAside(node: Node): boolean {
    if (this.#unnamed.has(node)) return true
    const name = nameOf(node)
    if (name !== undefined) return told.has(name)
    if (node.type === 'LogicalExpression') return isFlag(node.left as Node) || isCallOf('isReplaced', node.left as Node)
    if (node.type !== 'AssignmentExpression' || !this.isAdded(node.left as Node)) return false
    const value = withoutParentheses(node.right as Node)
    const isScope = value.type === 'ConditionalExpression' && isFlag(value.test as Node) && isVoid(value.alternate as Node)
    // `(0, f)` gives `f` no name; a compiler may have put what `f` is made of there as well.
    if (value.type === 'SequenceExpression' && value.expressions[0].value === 0) {
      this.#unnamed.add(value.expressions[0] as Node)
      this.#parts.set(node.left.name as string, value)
    } else if (!isScope) this.#parts.set(node.left.name as string, node.right as Node)
    return true
  }

  #logical(node: Node): string | undefined {
    if (isCallOf('taken', node.right as Node)) {
      const left = withoutParentheses(node.left as Node)
      return left.type === 'AssignmentExpression' && this.isAdded(left.left as Node) ? this.text(left.right as Node) : this.text(node.left as Node)
    }
    const found = withoutParentheses(node.right as Node)
    // `delete o?.a`
    if (node.operator === '??' && found.value === true && nameOf(node.left as Node) === 'optional') return this.text(node.left as Node)
    if (found.type === 'AssignmentExpression' && /^(?:read|privateGet)$/.test(nameOf(withoutParentheses(node.left as Node)) ?? '')) return `${this.text(found.left as Node)} ${node.operator}= ${this.text(found.right as Node)}`
    if (nameOf(found) === 'assigned') return this.#assignedIf(node, found)
    if (isCallOf('again', node.left as Node)) return this.text(withoutParentheses(node.right as Node))
    return undefined
  }

  /** `($1 = __dpor.reading(o, 'a', site)).old ??  __dpor.assigned($1, b)` */
  #assignedIf({ left, operator }: Node, { arguments: given }: Node): string | undefined {
    const holder = withoutParentheses(withoutParentheses(left as Node).object as Node)
    const reading = holder.type === 'AssignmentExpression' ? withoutParentheses(holder.right as Node) : holder
    return nameOf(reading) === 'reading' ? `${accesses['get']!(reading.arguments as Node[], this)!.text} ${operator}= ${this.text(given[1] as Node)}` : undefined
  }

  #call(node: Node): string | undefined {
    const name = nameOf(node)
    if (name === undefined) return undefined
    const given = node.arguments as Node[]
    if (name === 'optional') return this.#goesOnInFunction(given, '?.')
    if (name === 'given') return this.#goesOnInFunction(given, '.')
    if (name === 'callIf') return this.#callIf(given)
    const access = accesses[name]?.(given, this)
    if (access) return access.isLoose && this.#isOperand(node) ? `(${access.text})` : access.text
    const index = passedOn[name]
    const argument = index === undefined ? undefined : given[index]
    if (!argument) return undefined
    const passed = name === 'coerced' && argument.type === 'ParenthesizedExpression' ? (argument.expression as Node) : argument
    const text = name === 'asynchronous' ? this.#asynchronous(passed) : this.text(passed)
    const plain = this.#plainNode(withoutParentheses(passed))
    return (isLoose(plain) || /^(?:Function|Class|Object|Member)Expression$/.test(plain.type)) && passed.type !== 'ParenthesizedExpression' && !/^[\w$.]+$/.test(text) && this.#isOperand(node) ? `(${text})` : text
  }

  /** `{ 'f': function }['f']`, which gives it its name; of what is declared `{ 'f'() {} }['f']`. */
  #asynchronous(given: Node): string {
    if (given.type !== 'MemberExpression' || given.object.type !== 'ObjectExpression') return this.text(given)
    const property = given.object.properties[0] as Node
    return property.method ? asMethod(property, this, true) : this.text(property.value as Node)
  }

  #expressionStatement(node: Node): string | undefined {
    const text = this.text(node.expression as Node)
    const isBare = /^(?:\{|function\b|class\b|async function\b|let\s*\[)/.test(text)
    return `${isBare ? `(${text})` : text}${this.slice(node.expression.end as number, node.end)}`
  }

  /** The variables of an iteration are known by one of them, and a loop that waits is told of each. */
  #forStatement(node: Node): string | undefined {
    const gone = [node.test as Node | null, node.update as Node | null].filter((part): part is Node => !!part && (this.#takesAside(part) || nameOf(part) === 'again'))
    if (gone.length === 0) return undefined
    let text = ''
    let position = node.start
    for (const part of gone) {
      text += this.around(node, { start: position, end: part.start })
      position = part.end
    }
    return text + this.around(node, { start: position, end: node.end })
  }

  #block(node: Node): string {
    return statementsText(node.body as Node[], { around: node, isAdded: (statement) => isAddedStatement(statement, this) }, this)
  }

  #switchCase(node: Node): string | undefined {
    const body = node.consequent as Node[]
    if (body.length === 0) return undefined
    const start = body[0]!.start
    return this.around(node, { start: node.start, end: start }) + statementsText(body, { around: { ...node, start }, isAdded: (statement) => isAddedStatement(statement, this) }, this)
  }
}

const isVoid = ({ type, operator }: Node): boolean => type === 'UnaryExpression' && operator === 'void'

function declaredIn(maker: Node): Node {
  return maker.body.body.at(-1).argument.arguments[0].object.properties[0] as Node
}
