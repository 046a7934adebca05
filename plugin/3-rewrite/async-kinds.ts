import { isFunction, type Node, unwrap } from '../1-parse/node.ts'
import { afterDirectives } from './directives.ts'
import type { Insertion, Replacement } from './edits.ts'
import { naming, quote } from './names.ts'
import type { Rewriting } from './rewriting.ts'

/**
 * What takes the place of an async function is none, and gets the prototype of one: `async () => {}` -> `__dpor.asynchronous(() => {})`,
 * and of an async generator `__dpor.asynchronous(fn, true)`. Private methods get it where they are read;
 * fields of classes with computed keys do without.
 */

interface Around {
  readonly before: string
  readonly after: string
}

/** Functions whose places methods take, so that they are no constructors and have no property `prototype`. */
const madeMethods = new WeakSet<Node>()

export const isMadeMethod = (node: Node): boolean => madeMethods.has(node)

/** What stands before and after an async function that is an expression. */
export function asyncExpression(node: Node, r: Rewriting): Around | undefined {
  const { parent, value } = r.standing
  const isCalledAtOnce = parent.type === 'CallExpression' && parent.callee === value && !node.id
  const name = node.id ? (node.id.name as string) : nameFrom(parent, value)
  if (isCalledAtOnce || name === undefined) return undefined
  const after = node.generator ? ', true)' : ')'
  if (node.type === 'FunctionExpression') {
    madeMethods.add(node)
    const method = { before: `__dpor.asynchronous({ ${quote(name)}`, after: ` }[${quote(name)}]${after}` }
    if (!mentionsItself(node, r)) return method
    return { before: `(() => { const ${name} = ${method.before}`, after: `${method.after}; return ${name} })()` }
  }
  // A function takes its name from its definition, which an argument of a call does not give it.
  const [named, afterNamed] = name ? naming(name) : ['', '']
  return { before: `__dpor.asynchronous(${named}`, after: `${afterNamed}${after}` }
}

/** Whether the name of a function may be used inside of it. */
function mentionsItself({ id, start, end }: Node, r: Rewriting): boolean {
  if (!id) return false
  return `${r.source.slice(start, id.start)}${r.source.slice(id.end, end)}`.includes(id.name as string) || r.source.slice(start, end).includes('\\u') || r.source.slice(id.end, end).includes('eval')
}

/** The name that a definition gives to a function without one; '' where it gives none, undefined where that is known only later. */
export function nameFrom(parent: Node, value: Node): string | undefined {
  switch (parent.type) {
    case 'VariableDeclarator':
      return parent.init === value && parent.id.type === 'Identifier' ? (parent.id.name as string) : ''
    case 'AssignmentPattern':
      return parent.right === value && parent.left.type === 'Identifier' ? (parent.left.name as string) : ''
    case 'AssignmentExpression':
      return parent.right === value && parent.left.type === 'Identifier' && ['=', '??=', '||=', '&&='].includes(parent.operator as string) ? (parent.left.name as string) : ''
    case 'Property':
    case 'PropertyDefinition':
    case 'AccessorProperty':
      if (parent.value !== value) return ''
      return parent.computed ? undefined : keyName(parent.key)
    case 'ExportDefaultDeclaration':
      return 'default'
    default:
      return ''
  }
}

function keyName(key: Node): string {
  if (key.type === 'PrivateIdentifier') return `#${key.name}`
  const name = key.type === 'Identifier' ? (key.name as string) : String(key.value)
  return name === '__proto__' ? '' : name
}

/**
 * `async function f(a) { body }` -> `function f() { return $1().apply(this, arguments) } function $1() { return __dpor.asynchronous({ 'f'(a) { body } }['f']) }`
 * and `f = $1();` where its block begins: what is declared has a property `prototype`, which cannot be taken away. What is declared is called only by
 * those who come before that, as modules that import each other do. `write` writes the function.
 */
export function asyncDeclaration(node: Node, r: Rewriting, write: () => void): void {
  const name = node.id ? (node.id.name as string) : r.names.fresh()
  const maker = r.names.fresh()
  const key = quote(node.id ? name : 'default')
  const begins = beginBlock(`${name} = ${maker}();`, r)
  madeMethods.add(node)
  // Coverage does not count what is hardly ever called.
  r.insert(node.start, `/* istanbul ignore next */ function ${name}() { '__dpor'; return ${maker}().apply(this, arguments) } function ${maker}() { return __dpor.asynchronous({ ${key}`)
  write()
  withoutHead(node, r)
  r.insert(node.end, ` }[${key}]${node.generator ? ', true' : ''}) }${begins ? '' : ` ${name} = ${maker}();`}`)
}

/** Takes away the keyword and the name. */
export function withoutHead({ id, start, end }: Node, r: Rewriting): void {
  const keyword = r.find('function', start, end)
  r.replace(keyword, keyword + 'function'.length, '')
  if (id) r.replace(id.start, id.end, '')
}

/** A declared function is there from the beginning of its block. False where that has no place for a statement. */
export function beginBlock(text: string, r: Rewriting): boolean {
  const around = r.ancestors.slice(0, -1).findLast(({ type }) => !type.startsWith('Export'))!
  if (around.type === 'Program') r.beginnings.push(text)
  else if (around.type === 'BlockStatement') begin(around, around.start + 1, { text, r })
  else if (isFunction(around) && isPlain(around)) begin(around.body, afterDirectives(around.body.body, around.body.start + 1), { text, r })
  else if (isFunction(around)) bodies.get(around.body)!.text += text
  else return false
  return true
}

/** By body of a function: what comes before its statements. */
const bodies = new WeakMap<Node, Insertion>()

/** The statements of a body are about to be visited. */
export function bodyBegins(body: Node, opening: Insertion): void {
  bodies.set(body, opening)
}

/** Whether its body stays the one that it is called with. */
const isPlain = ({ async, generator, params }: Node): boolean => !async && !generator && (params as Node[]).every(({ type }) => type === 'Identifier')

/** By block in which no space is before the first statement. */
const beginnings = new WeakMap<Node, Replacement>()

/** Puts a statement before the others of a block, some of which have been written by now: with what stands before them, if nothing is between. */
function begin(block: Node, at: number, { text, r }: { readonly text: string; readonly r: Rewriting }): void {
  if (!(block.body as Node[]).some(({ start }) => start === at)) return void r.insert(at, text)
  const beginning = beginnings.get(block)
  if (beginning) beginning.text += text
  else beginnings.set(block, r.edits.replace(at - 1, at, r.source[at - 1]! + text))
}

interface Method {
  /** How the key is written; undefined where it is known only later, or something else may have taken its place. */
  readonly key: string | undefined
  readonly node: Node
  readonly isStatic: boolean
}

/** One that stays where it is, under a key that is known. */
const isKnown = ({ key, node }: Method): boolean => key !== undefined && !node.generator

function asyncMethods(members: readonly Node[]): Method[] {
  const isDecorated = members.some((member) => member.decorators?.length > 0)
  const places = members.map((member) => `${member.static ? 'static ' : ''}${member.key && !member.computed ? keyText(member.key) : ''}`)
  return members.flatMap((member, i): Method[] => {
    if (!isAsyncMethod(member) || member.key.type === 'PrivateIdentifier') return []
    const isReplaced = isDecorated || (!member.computed && places.lastIndexOf(places[i]!) > i) || members.slice(i + 1).some(mayReplace)
    return [{ key: isReplaced ? undefined : keyOf(member), node: unwrap(member.value), isStatic: member.static === true }]
  })
}

function isAsyncMethod(member: Node): boolean {
  const isMethod = member.type === 'MethodDefinition' ? member.kind === 'method' : member.type === 'Property' && (member.method || (member.computed && isFunction(unwrap(member.value))))
  const fn = isMethod ? unwrap(member.value) : undefined
  return !!fn?.async && !!fn.body
}

function keyOf({ computed, key }: Node): string | undefined {
  if (!computed) return quote(keyText(key))
  return isWellKnown(key) ? `Symbol.${key.property.name}` : undefined
}

/** `Symbol.asyncIterator`, which is the same symbol whenever it is asked for. */
const isWellKnown = (key: Node): boolean => key.type === 'MemberExpression' && !key.computed && key.object.type === 'Identifier' && key.object.name === 'Symbol'

/** A spread, or a key that is known only later and may be any text. */
function mayReplace(member: Node): boolean {
  if (member.type === 'SpreadElement') return true
  if (!member.computed) return false
  const key = member.key as Node
  const maker = key.type === 'CallExpression' ? (key.callee as Node) : key.type === 'MemberExpression' ? (key.object as Node) : key
  return !(maker.type === 'Identifier' && maker.name === 'Symbol')
}

const keyText = (key: Node): string => (key.type === 'Identifier' ? (key.name as string) : key.type === 'PrivateIdentifier' ? `#${key.name}` : String(key.value))

/**
 * A static block that gives the async methods of a class their prototypes; '' where it has none.
 */
export function asyncMethodsOfClass({ body, decorators }: Node, r: Rewriting): string {
  if (decorators?.length > 0) return ''
  const methods = asyncMethods(body.body as Node[])
  const statements = [false, true].flatMap((isStatic) => {
    const target = isStatic ? 'this' : 'this.prototype'
    const own = methods.filter((method) => method.isStatic === isStatic)
    const known = own.filter(isKnown).map(({ key }) => `__dpor.asynchronous(${target}[${key}])`)
    const searched = own.filter((method) => !isKnown(method))
    return searched.length > 0 ? [...known, `__dpor.asynchronousMembers(${target}, [${searched.map((method) => entry(method, r)).join(', ')}])`] : known
  })
  return statements.length > 0 ? `static{${statements.join(';')}}` : ''
}

/** `['m']`, and of an async generator `['g', true]`; `[, true, text]` where the function is to be found by how its text ends. */
function entry({ key, node }: Method, r: Rewriting): string {
  const isGenerator = node.generator ? ', true' : ''
  return key === undefined ? `[,${isGenerator ? '' : ' false'}${isGenerator.slice(1)}, ${quote(r.callTails.get(unwrap(node))!)}]` : `[${key}${isGenerator}]`
}

/** The last argument of `__dpor.made` for an object with async methods: `, [['m'], ['g', true]]`. */
export function asyncMethodsOfObject(node: Node, r: Rewriting): string {
  const methods = asyncMethods(node.properties as Node[])
  return methods.length > 0 ? `, [${methods.map((method) => entry(method, r)).join(', ')}]` : ''
}
