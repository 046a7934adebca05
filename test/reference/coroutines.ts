import { parseSync } from 'oxc-parser/src-js/index.js'

/** A node of the syntax tree, of whatever type. */
interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: any
}

/** The function whose code is being written: what its `await` and `yield` become. */
type Surroundings = 'plain' | 'async function' | 'async generator'

/** Names that the written code calls: what `asyncCalls` provides. */
export const coroutineNames = ['$run', '$generate', '$got', '$wait', '$give', '$delegate', '$over'] as const

/**
 * Writes an async function so that nothing of it is async: every async function becomes a generator
 * that is handed to `$run`, every `await e` a `yield e`. The rest stays as it is.
 */
export function asCoroutines(source: string): string {
  return new Writer(source).write()
}

/** Makes every `return e` of the outermost function return the JSON text of `e`, made by the code itself. */
export function returningText(source: string): string {
  const edits: { at: number; text: string }[] = []
  const search = (node: Node, isOutermost: boolean): void => {
    if (isFunction(node)) {
      if (isOutermost) return
      isOutermost = true
    } else if (node.type === 'ReturnStatement' && node.argument) {
      edits.push({ at: node.argument.start, text: 'JSON.stringify(' }, { at: node.argument.end, text: ')' })
    }
    for (const child of children(node)) search(child, isOutermost)
  }
  search(parse(source), false)
  let text = ''
  let position = 0
  for (const edit of edits) {
    text += source.slice(position, edit.at) + edit.text
    position = edit.at
  }
  return text + source.slice(position)
}

function parse(source: string): Node {
  const { program, errors } = parseSync('body.js', source)
  if (errors.length > 0) throw new SyntaxError(`${errors[0]!.message} in\n${source}`)
  return program as unknown as Node
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}

function isFunction(node: Node): boolean {
  return node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression'
}

/** The nodes directly inside, in the order of the source; of two in one place, as in `{ a }`, the longer. */
function children(node: Node): Node[] {
  const found: Node[] = []
  for (const [key, value] of Object.entries(node)) {
    if (key === 'parent') continue
    for (const item of Array.isArray(value) ? value : [value]) if (isNode(item)) found.push(item)
  }
  found.sort((a, b) => a.start - b.start || b.end - a.end)
  return found.filter((child, i) => i === 0 || child.start >= found[i - 1]!.end)
}

class Writer {
  readonly #source: string
  #surroundings: Surroundings = 'plain'
  /** Inside an async function, `super` belongs to a function further out, and so does `arguments` of an arrow function. */
  #superIsOutside = false
  #isAsyncArrow = false

  constructor(source: string) {
    this.#source = source
  }

  write(): string {
    return this.#text(parse(this.#source))
  }

  #text(node: Node): string {
    switch (node.type) {
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        return this.#function(node)
      case 'MethodDefinition':
      case 'Property':
        return node.value?.async && (node.type === 'MethodDefinition' || node.method) ? this.#method(node) : this.#asItIs(node)
      case 'ClassBody':
        return this.#classBody(node)
      case 'AwaitExpression':
        return this.#wait(this.#text(node.argument))
      case 'YieldExpression':
        return this.#yield(node)
      case 'ReturnStatement':
        if (this.#surroundings !== 'async generator' || !node.argument) return this.#asItIs(node)
        return `return ${this.#wait(this.#text(node.argument))};`
      case 'ForOfStatement':
        return node.await ? this.#forAwait(node, '') : this.#asItIs(node)
      case 'LabeledStatement':
        return node.body.await ? this.#forAwait(node.body, `${node.label.name}: `) : this.#asItIs(node)
      case 'CallExpression':
        return this.#superIsOutside && node.callee.object?.type === 'Super' ? this.#superCall(node) : this.#asItIs(node)
      case 'AssignmentExpression':
        return this.#superIsOutside && node.left.object?.type === 'Super' ? this.#superAssignment(node) : this.#asItIs(node)
      case 'MemberExpression':
        return this.#superIsOutside && node.object.type === 'Super' ? `$super.get(${this.#key(node)})` : this.#asItIs(node)
      case 'Identifier':
        if (node.name === 'arguments' && this.#isAsyncArrow) throw new SyntaxError('`arguments` in an async arrow function')
        return node.name
      case 'MetaProperty':
        if (this.#surroundings !== 'plain') throw new SyntaxError('`new.target` in an async function')
        return this.#asItIs(node)
      default:
        return this.#asItIs(node)
    }
  }

  #asItIs(node: Node): string {
    let text = ''
    let position = node.start
    for (const child of children(node)) {
      text += this.#source.slice(position, child.start) + this.#text(child)
      position = child.end
    }
    return text + this.#source.slice(position, node.end)
  }

  /** Begins with a name where `await` did, so that lines without a semicolon end where they did. */
  #wait(text: string): string {
    return this.#surroundings === 'async generator' ? `$got(yield $wait(${text}))` : `$got(yield (${text}))`
  }

  #yield(node: Node): string {
    if (this.#surroundings !== 'async generator') return this.#asItIs(node)
    const argument = node.argument ? this.#text(node.argument) : 'undefined'
    return `$got(${node.delegate ? `yield* $delegate(${argument})` : `yield $give(${argument})`})`
  }

  // Functions --------------------------------------------------------------------------------

  #function(node: Node): string {
    if (!node.async) return this.#inside({ surroundings: 'plain', node }, () => this.#asItIs(node))
    if (node.type === 'ArrowFunctionExpression') return `(...$arguments) => ${this.#frame(node)}`
    return `function ${node.id?.name ?? ''}(...$arguments) ${this.#frame(node)}`
  }

  #method(node: Node): string {
    const key = node.computed ? `[${this.#text(node.key)}]` : this.#source.slice(node.key.start, node.key.end)
    return `${node.static ? 'static ' : ''}${key}(...$arguments) ${this.#frame(node.value)}`
  }

  /** The body of the plain function that stands in the place of an async one. */
  #frame(node: Node): string {
    const prelude = usesSuper(node) && !this.#superIsOutside
      ? 'const $super = { get: (key) => super[key], set: (key, value) => (super[key] = value) }; '
      : ''
    const name = node.generator ? '$generate' : '$run'
    const inner = this.#inside({ surroundings: node.generator ? 'async generator' : 'async function', node }, () => {
      const parameters = (node.params as Node[]).map((parameter) => this.#text(parameter)).join(', ')
      const body = node.body.type === 'BlockStatement' ? this.#text(node.body) : `{ return (${this.#text(node.body)}) }`
      return `function* (${parameters}) ${body}`
    })
    return `{ ${prelude}return ${name}(this, $arguments, ${inner}) }`
  }

  #inside<T>({ surroundings, node }: { surroundings: Surroundings; node: Node }, write: () => T): T {
    const before = [this.#surroundings, this.#superIsOutside, this.#isAsyncArrow] as const
    const isArrow = node.type === 'ArrowFunctionExpression'
    this.#surroundings = surroundings
    this.#superIsOutside = surroundings !== 'plain' || (isArrow && this.#superIsOutside)
    this.#isAsyncArrow = isArrow && (surroundings !== 'plain' || this.#isAsyncArrow)
    const result = write()
    ;[this.#surroundings, this.#superIsOutside, this.#isAsyncArrow] = before
    return result
  }

  #classBody(node: Node): string {
    const before = this.#superIsOutside
    this.#superIsOutside = false
    const text = this.#asItIs(node)
    this.#superIsOutside = before
    return text
  }

  // super ------------------------------------------------------------------------------------

  #key(member: Node): string {
    return member.computed ? this.#text(member.property) : `'${member.property.name}'`
  }

  #superCall(node: Node): string {
    const values = (node.arguments as Node[]).map((argument) => this.#text(argument))
    return `$super.get(${this.#key(node.callee)}).call(${['this', ...values].join(', ')})`
  }

  #superAssignment(node: Node): string {
    if (node.operator !== '=') {
      if (node.left.computed) throw new SyntaxError(`\`super[x] ${node.operator} v\` in an async method`)
      const operator = node.operator.slice(0, -1)
      const [key, value] = [this.#key(node.left), this.#text(node.right)]
      if (/[?|&]{2}/.test(operator)) return `($super.get(${key}) ${operator} $super.set(${key}, ${value}))`
      return `$super.set(${key}, $super.get(${key}) ${operator} (${value}))`
    }
    return `$super.set(${this.#key(node.left)}, ${this.#text(node.right)})`
  }

  // for await --------------------------------------------------------------------------------

  #forAwait(node: Node, label: string): string {
    const isDeclaration = node.left.type === 'VariableDeclaration'
    const target = isDeclaration ? this.#source.slice(node.left.start, node.left.end) : this.#text(node.left)
    const next = isDeclaration ? `${target} = $loop.value;` : `(${target} = $loop.value);`
    return `{ const $loop = $over(${this.#text(node.right)});
      try { ${label}while ($loop.take(${this.#wait('$loop.next()')})) { ${next} ${this.#text(node.body)} } }
      catch ($error) { if ($loop.mustClose()) try { ${this.#wait('$loop.close()')} } catch {} throw $error }
      finally { if ($loop.mustClose()) ${this.#wait('$loop.close()')}; } }`
  }
}

/** Whether the function itself, or an arrow function in it, says `super`. */
function usesSuper(node: Node): boolean {
  return children(node).some((child) => {
    if (child.type === 'Super') return true
    if (child.type.startsWith('Class') || child.type === 'FunctionDeclaration' || child.type === 'FunctionExpression') return false
    return usesSuper(child)
  })
}
