import { isFunction, type Node, unwrap } from '../1-parse/node.ts'
import { asyncDeclaration, bodyBegins, isMadeMethod } from './async-kinds.ts'
import { driving, forwardedName, isDriven } from './down-levelled.ts'
import { nameDeclaredFunction } from './declared-functions.ts'
import { afterDirectives } from './directives.ts'
import type { Insertion } from './edits.ts'
import { functionName, nameInStack } from './function-names.ts'
import { missingSemicolons } from './leaf-functions.ts'
import { canTakeApart, fixturesStayVisible, hasPatterns, isPlain, parametersOutside, readsOf, readsOfRest, shownText, takenArgument, withoutThis } from './parameters.ts'
import { boundNames, declarationPattern, madeRest, restNames } from './patterns.ts'
import type { Rewriting, Temporaries } from './rewriting.ts'
import { naming, quote } from './names.ts'
import { recursion } from './recursion.ts'
import { statements } from './statements.ts'

export function FunctionDeclaration(node: Node, r: Rewriting): void {
  if (node.async && node.body) asyncDeclaration(node, r, () => Function(node, r))
  else Function(node, r)
  if (node.id && node.body) nameDeclaredFunction(node, r)
}

/** Functions of all kinds; methods come here from their class or object. */
export function Function(node: Node, r: Rewriting): void {
  if (!node.body) return
  const shown = shownText(node, r)
  if (shown !== undefined) r.insert(node.start, '__dpor.showing(')
  const { calls } = r.edits
  rewriteFunction(node, r)
  // The text of an async function has its frame, which is filled in later.
  if (r.edits.calls === calls && !node.async) markFunction(node, r)
  if (shown !== undefined) r.insert(node.end, `, ${shown})`)
}

/** The runtime tells instrumented functions from others by their text: where nothing in it calls the runtime, a directive says so. */
function markFunction({ body }: Node, r: Rewriting): void {
  if (body.type === 'BlockStatement') return void r.insert(afterDirectives(body.body, body.start + 1), `'${mark}';`)
  r.insert(body.start, `{'${ofExpression}';return `)
  r.insert(body.end, '}')
}

function rewriteFunction(node: Node, r: Rewriting): void {
  if (node.async) removeAsync(node, r)
  const stays = isPlain(node) || fixturesStayVisible(node, r)
  if (node.async && !node.generator) return stays ? asyncFunction(node, r) : asyncWithParameters(node, r)
  if (!node.async && node.type === 'ArrowFunctionExpression' && hasPatterns(node) && !stays) return canTakeApart(node, r) ? arrowTakingApart(node, r) : arrowWithPatterns(node, r)
  if (node.type === 'ArrowFunctionExpression' && hasPatterns(node) && !stays) return arrowWithPatterns(node, r)
  if (node.async) return asyncGenerator(node, r)
  syncFunction(node, r)
}

function visitParameters(node: Node, r: Rewriting): void {
  for (const parameter of node.params as Node[]) declarationPattern(parameter, r)
}

function withTemporaries(r: Rewriting, body: () => void): Temporaries {
  const temporaries = { names: [] }
  r.temporaries.push(temporaries)
  body()
  r.temporaries.pop()
  return temporaries
}

/** Methods carry the keyword before their key. */
function removeAsync(node: Node, r: Rewriting): void {
  const { parent } = r
  if (!isMethod(node, r)) return r.replace(node.start, node.start + 'async'.length, '')
  const start = (parent.decorators as Node[] | undefined)?.at(-1)?.end ?? parent.start
  const keyword = r.find('async', start, parent.key.start)
  r.replace(keyword, keyword + 'async'.length, '')
}

const declaresArguments = (node: Node, r: Rewriting): boolean => !!r.analysis.scope(node)?.variables.get('arguments')?.definitions.length

/** Reads of parameters that are patterns, in functions that have `arguments`. */
function parameterReads(node: Node, r: Rewriting): string {
  if (node.type === 'ArrowFunctionExpression' || declaresArguments(node, r)) return ''
  return withoutThis(node).flatMap((parameter, i) => {
    const shapes = parameter.type === 'RestElement' ? readsOfRest(parameter, r) : [readsOf(parameter, r)]
    return shapes.map((shape, j) => (shape ? `if (__dporOn) __dpor.pattern(arguments[${i + j}], ${shape});` : ''))
  }).join('')
}

function visitBody(node: Node, r: Rewriting): void {
  const made = [...(node.params as Node[]).flatMap(restNames).map((name) => madeRest(name, r)), ...recursion(node, r)]
  if (node.body.type === 'BlockStatement') {
    bodyBegins(node.body, r.insert(afterDirectives(node.body.body, node.body.start + 1), made.map((call) => `${call};`).join('')))
    return statements(node.body.body, r)
  }
  if (made.length > 0) r.insert(node.body.start, `(${made.join(', ')}, `)
  if (node.async) returnedValue(node.body, r)
  else r.visit(node.body)
  if (made.length > 0) r.insert(node.body.end, ')')
}

const isNoPromise = /^(?:Literal|TemplateLiteral|AwaitExpression|UnaryExpression|BinaryExpression|UpdateExpression|ArrowFunctionExpression|FunctionExpression|ClassExpression)$/

/** What an async function returns may be a promise that it does not await. */
export function returnedValue(node: Node, r: Rewriting): void {
  if (isNoPromise.test(unwrap(node).type)) return r.visit(node)
  r.insert(node.start, '__dpor.returned(')
  if (node.type === 'SequenceExpression') r.wrap(node, '(', ')')
  else r.visit(node)
  r.insert(node.end, ')')
}

export function ReturnStatement(node: Node, r: Rewriting): void {
  const owner = r.ancestors.findLast(isFunction)
  if (!node.argument || !owner?.async) r.visit(node.argument)
  else if (owner.generator) waited(node, r)
  else returnedValue(node.argument, r)
}

/** `yield e` in an async generator -> `yield __dpor.suspend(e, site)`: it waits for what it gives. `yield* e` iterates in any generator. */
export function YieldExpression(node: Node, r: Rewriting): void {
  const owner = r.ancestors.findLast(isFunction)
  const isAsync = owner?.async === true
  if (!isAsync && !node.delegate) return isDriven(owner, r) && node.argument ? r.wrap(node.argument, '__dpor.waits((', `), ${r.site(node.start, r.text(node))})`) : r.children(node)
  if (node.delegate) return iterated(node.argument, r, { isAsync, isDelegated: true })
  if (node.argument) waited(node, r)
  else r.insert(node.end, ` __dpor.suspend(void 0, ${r.site(node.start, r.text(node))})`)
}

/** What is iterated over by its own name: `[...x]` -> `[...__dpor.iterate(x, site)]`. */
function iterated(node: Node, r: Rewriting, { isAsync, isDelegated = false }: { readonly isAsync: boolean; readonly isDelegated?: boolean }): void {
  const after = `, ${r.site(node.start, isDelegated ? `yield* ${r.text(node)}` : r.text(node))})`
  r.wrap(node, isAsync ? '__dpor.iterateAsync(' : '__dpor.iterate(', after, [isAsync ? '__dpor.asyncIterable(' : '__dpor.iterable(', after])
}

/** What an async generator gives or returns it waits for. */
function waited(node: Node, r: Rewriting): void {
  const [open, close] = node.argument.type === 'SequenceExpression' ? ['(', ')'] : ['', '']
  r.wrap(node.argument, `__dpor.suspend(${open}`, `${close}, ${r.site(node.start, r.text(node))})`)
}

function syncFunction(node: Node, r: Rewriting): void {
  const body = node.body as Node
  let opening: Insertion | undefined
  visitParametersApart(node, r)
  if (body.type !== 'BlockStatement') return syncExpression(node, r)
  const temporaries = withTemporaries(r, () => {
    const start = afterDirectives(body.body, body.start + 1, r)
    const driven = driving(node, r)
    r.insert(start, (driven ? `if (${driven.isAsked}) return ${driven.call};` : forwardedName(node, r)) + r.scopeDeclaration(node) + parameterReads(node, r))
    const leaf = driven ? undefined : r.once.leaves.frame(node, r)
    if (leaf) r.edits.insertOwn(start, leaf.open)
    opening = r.insert(start, '')
    if (!leaf) return visitBody(node, r)
    r.inTwin(() => visitBody(node, r))
    const end = body.end - 1
    // Stack traces show the call of what is inside at the beginning of the function, as that of an async one.
    r.edits.insert(end, leaf.close, start)
    r.edits.copy(end, { start, end }, missingSemicolons(body, r))
  })
  if (opening && temporaries.names.length > 0) opening.text = `let ${temporaries.names.join(', ')};`
}

/** An arrow function without a block has no place for a declaration, and gets one if it needs it. */
function syncExpression(node: Node, r: Rewriting): void {
  const driven = driving(node, r)
  const opening = r.insert(node.body.start, '')
  if (driven) r.insert(node.body.start, `${driven.isAsked} ? ${driven.call} : `)
  const temporaries = withTemporaries(r, () => visitBody(node, r))
  const declarations = (temporaries.names.length > 0 ? `let ${temporaries.names.join(', ')};` : '') + r.scopeDeclaration(node)
  if (!declarations) return
  opening.text = `{'${ofExpression}';${declarations}return `
  r.insert(node.body.end, '}')
}

/** Variables of the body that have the name of a parameter start with its value. */
function redeclared(node: Node): string[] {
  if (node.body.type !== 'BlockStatement') return []
  const names = (node.params as Node[]).flatMap(boundNames).map((name) => name.name as string)
  if (node.type !== 'ArrowFunctionExpression') names.push('arguments')
  const declared = new Set(varNames(node.body))
  return names.filter((name) => declared.has(name))
}

/** The names of the `var` declarations of a function body, without those of functions inside it. */
function varNames(node: Node): string[] {
  const names: string[] = []
  const search = (inner: unknown): void => {
    if (Array.isArray(inner)) for (const item of inner) search(item)
    else if (inner && typeof inner === 'object' && 'type' in inner) {
      const child = inner as Node
      if (/Function|^Class|Expression$|^TS|Type/.test(child.type)) return
      if (child.type === 'VariableDeclaration' && child.kind === 'var')
        for (const declarator of child.declarations as Node[]) names.push(...boundNames(declarator.id).map((name) => name.name as string))
      for (const key in child) if (key !== 'type') search(child[key])
    }
  }
  search(node.body)
  return names
}

/** Stands in the text of every instrumented function. */
const mark = '__dpor'
/** Stands in an arrow function that had no block. */
const ofExpression = `${mark}=>`

interface Frame {
  /** What stands around the function that has the body, and gives it the name that stack traces show. */
  readonly open: string
  readonly close: string
  /** Parameters of the callback beside the temporaries. */
  readonly identities: readonly string[]
  readonly tail: string
}

function runFrame(node: Node, r: Rewriting): Frame {
  const scope = r.analysis.scope(node)
  const identities = scope && r.analysis.hasRecorded(scope) ? [r.newScope(scope)] : []
  const name = nameInStack(node, r)
  const [open, close] = name === '' ? ['', ''] : naming(name)
  return { open, close, identities, tail: callTail(node, r, functionName(node, r)) }
}

function callTail(node: Node, r: Rewriting, name: string): string {
  const site = r.site(node.id?.start ?? (r.parent.key ?? node).start, name)
  r.callTails.set(node, `,${site})`)
  return `, ${quote(name)}, ${site})`
}

const isMethod = (node: Node, { parent }: Rewriting): boolean => parent.value === node && (parent.type === 'MethodDefinition' || (parent.type === 'Property' && parent.method))

/** What stands for an async function could be called with `new`. */
const noConstructor = (node: Node, r: Rewriting): string =>
  node.type === 'ArrowFunctionExpression' || isMethod(node, r) || isMadeMethod(node) ? '' : `new.target && __dpor.noConstructor(${quote((node.id?.name as string | undefined) ?? '')});`

/** `async f(a) { body }` -> `f(a) { return __dpor.run(async () => { body }, 'f', site) }`. */
function asyncFunction(node: Node, r: Rewriting): void {
  const body = node.body as Node
  const frame = runFrame(node, r)
  visitParametersApart(node, r)
  const isBlock = body.type === 'BlockStatement'
  const start = isBlock ? afterDirectives(body.body, body.start + 1, r) : body.start
  const again = redeclared(node).map((name) => ({ name, copy: r.names.fresh() }))
  if (isBlock) {
    r.insert(start, noConstructor(node, r) + parameterReads(node, r))
    if (again.length > 0) r.insert(start, `const ${again.map(({ name, copy }) => `${copy} = ${name}`).join(', ')};`)
    r.insert(start, 'return ')
  }
  const opening = r.insert(start, '')
  if (isBlock) r.insert(start, `{${again.map(({ name, copy }) => `${name} = ${copy};`).join('')}`)
  const temporaries = withTemporaries(r, () => visitBody(node, r))
  opening.text = `__dpor.run(${frame.open}async (${[...temporaries.names, ...frame.identities].join(', ')}) => `
  r.insert(isBlock ? body.end - 1 : body.end, `${isBlock ? '}' : ''}${frame.close}${frame.tail}`)
}

/** Nothing in the parameters of an async function can suspend. */
function visitParametersApart(node: Node, r: Rewriting): void {
  r.withoutTemporaries(() => visitParameters(node, r))
}

/**
 * Parameters that run code move to the inner function, so that what they throw rejects:
 * `async f(a, b = g()) { body }` -> `f($1, $2 = void 0) { return __dpor.run(() => (async (a, b = g()) => { body })($1, $2), 'f', site) }`.
 */
function asyncWithParameters(node: Node, r: Rewriting): void {
  r.scopesAround.add(node)
  const frame = runFrame(node, r)
  const { outer, inner, first, afterLast } = parametersOutside(node, r)
  const isArrow = node.type === 'ArrowFunctionExpression'
  r.insert(first, `${outer}) ${isArrow ? '=> ' : `{ ${noConstructor(node, r)}return `}`)
  const opening = r.insert(first, '')
  // A comma, as what is called is no method of the object that gives it its name.
  r.insert(first, `(${frame.open && `0, ${frame.open}`}async (`)
  visitParametersApart(node, r)
  const temporaries = withTemporaries(r, () => {
    if (!isArrow) r.insert(node.returnType?.end ?? afterLast, ' =>')
    visitBody(node, r)
  })
  opening.text = `__dpor.run((${[...temporaries.names, ...frame.identities].join(', ')}) => `
  r.insert(node.body.end, `${frame.close})(${inner})${frame.tail}${isArrow ? '' : '}'}`)
}

/** `({ a }, b) => body` -> `($1, $2) => {let { a } = __dporOn ? __dpor.pattern($1, ...) : $1, b = $2;return (body)}`. */
function arrowTakingApart(node: Node, r: Rewriting): void {
  const parameters = node.params as Node[]
  const body = node.body as Node
  const isBlock = body.type === 'BlockStatement'
  const names = parameters.map(() => r.names.fresh())
  const open = r.find('(', node.typeParameters?.end ?? node.start, parameters[0]!.start)
  const values = parameters.map((parameter, i) => takenArgument(parameter, names[i]!, r))
  r.insert(open + 1, `${names.join(', ')}) => {${isBlock ? '' : `'${ofExpression}';`}`)
  const opening = r.insert(open + 1, '')
  r.insert(open + 1, 'let ')
  const temporaries = withTemporaries(r, () => {
    for (const [i, parameter] of parameters.entries()) {
      declarationPattern(parameter, r)
      const next = parameters[i + 1]
      r.replace(parameter.end, next ? next.start : isBlock ? body.start + 1 : body.start, ` = ${values[i]}${next ? ', ' : isBlock ? ';' : ';return ('}`)
    }
    visitBody(node, r)
  })
  const declarations = r.scopeDeclaration(node)
  opening.text = declarations + (temporaries.names.length > 0 ? `let ${temporaries.names.join(', ')};` : '')
  // In parentheses: what it returns may stand on the next line.
  if (!isBlock) r.insert(body.end, ')}')
}

/** `({ a }) => body` -> `($1) => (({ a }) => body)(__dpor.pattern($1, ...))`. */
function arrowWithPatterns(node: Node, r: Rewriting): void {
  const { outer, inner, first } = parametersOutside(node, r)
  r.insert(first, `${outer}) => ((`)
  syncFunction(node, r)
  r.insert(node.body.end, `)(${inner})`)
}

/** `async *f(a) { body }` -> `*f`, no: `f(a) { return __dpor.generate((async function* () { body }).apply(this, arguments), 'f', site) }`. */
function asyncGenerator(node: Node, r: Rewriting): void {
  const body = node.body as Node
  const name = functionName(node, r)
  const tail = callTail(node, r, name)
  removeStar(node, r)
  visitParametersApart(node, r)
  const start = afterDirectives(body.body, body.start + 1, r)
  const again = redeclared(node).filter((variable) => variable !== 'arguments').map((variable) => ({ variable, copy: r.names.fresh() }))
  r.insert(start, noConstructor(node, r) + superDeclaration(node, r) + r.scopeDeclaration(node) + parameterReads(node, r))
  if (again.length > 0) r.insert(start, `const ${again.map(({ variable, copy }) => `${copy} = ${variable}`).join(', ')};`)
  r.insert(start, 'return __dpor.generate((async function* () {')
  const opening = r.insert(start, again.map(({ variable, copy }) => `${variable} = ${copy};`).join(''))
  const temporaries = withTemporaries(r, () => visitBody(node, r))
  if (temporaries.names.length > 0) opening.text += `let ${temporaries.names.join(', ')};`
  r.insert(body.end - 1, `}).apply(this, arguments)${tail}`)
}

/** The functions that stand for `super` in the body of an async generator. */
function superDeclaration(node: Node, r: Rewriting): string {
  if (!usesSuper(node.body)) return ''
  const [get, set, key, value] = [r.names.fresh(), r.names.fresh(), r.names.fresh(), r.names.fresh()]
  r.superStandIns.set(node, { get, set })
  return `const ${get} = (${key}) => super[${key}], ${set} = (${key}, ${value}) => super[${key}] = ${value};`
}

function removeStar(node: Node, r: Rewriting): void {
  const { parent } = r
  const from = isMethod(node, r) ? ((parent.decorators as Node[] | undefined)?.at(-1)?.end ?? parent.start) : node.start
  const star = r.find('*', from, isMethod(node, r) ? parent.key.start : (node.id?.start ?? node.body.start))
  // It may be all that separates two words.
  r.replace(star, star + 1, /\w\*[\w$]/.test(r.source.slice(star - 1, star + 2)) ? ' ' : '')
}

/** Whether code uses `super` of the method it belongs to. */
function usesSuper(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(usesSuper)
  if (!node || typeof node !== 'object' || !('type' in node)) return false
  const inner = node as Node
  if (inner.type === 'Super') return true
  if (inner.type === 'FunctionExpression' || inner.type === 'FunctionDeclaration') return false
  for (const key in inner) if (usesSuper(inner[key])) return true
  return false
}
