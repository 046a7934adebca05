import { nameDeclared } from './declared-functions.ts'
import { awaitUsing, disposedAtEnd } from './disposal.ts'
import { isFunction, someChild, type Node } from '../1-parse/node.ts'
import { isHoisted } from './globals.ts'
import { continues, isOpen } from './line-breaks.ts'
import { forTest, iterates } from './loops.ts'
import { assignmentPattern, declarationPattern, destructured, madeRest, restNames, shapeOf, taken, target } from './patterns.ts'
import type { Rewriting } from './rewriting.ts'
import { indexedPairName } from './setter-pairs.ts'
import { definesTestsOverAtOnce } from './test-definitions.ts'
import { writeVariable } from './variables.ts'

/**
 * The statements of a block. One that begins with a bracket would continue the line above it where that has no semicolon, if it did
 * not begin with one before, or if what stands above could not be continued: a function whose end is that of a call now.
 */
export function statements(list: readonly Node[], r: Rewriting): void {
  list.forEach((statement, i) => {
    if (statement.type !== 'ExpressionStatement') return r.visit(statement)
    const separator = r.insert(statement.start, '')
    const mark = r.edits.mark
    r.visit(statement)
    const first = r.edits.firstCharacter(statement.start, mark)
    if (continues.includes(first) && (first !== r.source[statement.start] || isOpen(list[i - 1], r))) separator.text = ';'
  })
}

/** `test('a', () => { ... })` -> `__dpor.defined(__dpor.defining(), test('a', () => { ... }))`, also as all that a loop does. */
export function ExpressionStatement(node: Node, r: Rewriting): void {
  const isDefinition = definesTestsOverAtOnce(node, r)
  if (isDefinition) r.insert(node.start, '__dpor.defined(__dpor.defining(), ')
  r.children(node)
  if (isDefinition) r.insert(node.expression.end, ')')
}

export function BlockStatement(node: Node, r: Rewriting): void {
  r.insert(node.start + 1, r.scopeDeclaration(node))
  statements(node.body, r)
}

export function StaticBlock(node: Node, r: Rewriting): void {
  r.insert(r.find('{', node.start, node.end) + 1, r.scopeDeclaration(node))
  r.withoutTemporaries(() => statements(node.body, r))
}

/** There is no place for a declaration inside the switch, so it gets a block of its own. */
export function SwitchStatement(node: Node, r: Rewriting): void {
  const declaration = r.scopeDeclaration(node)
  if (declaration) r.insert(node.start, `{${declaration}`)
  r.visit(node.discriminant)
  for (const clause of node.cases as Node[]) {
    r.visit(clause.test)
    statements(clause.consequent, r)
  }
  if (declaration) r.insert(node.end, '}')
}

/** `catch (e) { body }` -> `catch (e) { if (__dporOn) __dpor.caught(e); body }`, `catch { body }` likewise, `catch ({ message }) { body }` -> `catch ($1) { let { message } = __dpor.pattern($1, ...); body }`. */
export function CatchClause(node: Node, r: Rewriting): void {
  const param = node.param as Node | null
  if (param && param.type !== 'Identifier') {
    const name = r.names.fresh()
    const [before, after] = taken(param, param.start, '', r)
    r.insert(param.start, `${name}) { ${r.scopeDeclaration(node)}let `)
    declarationPattern(param, r)
    const rests = restNames(param).map((rest) => `, ${r.names.fresh()} = ${madeRest(rest, r)}`)
    // What functions among the defaults mean by a name is not what the body declares.
    const isApart = mayCapture(param)
    r.replace(param.end, node.body.start + 1, ` = ${before ? `__dporOn ? ${before}${name}${after} : ${name}` : name}${rests.join('')};${isApart ? '{' : ''}`)
    if (isApart) r.insert(node.body.end, '}')
  } else {
    const name = param?.name ?? r.names.fresh()
    if (!param) r.insert(node.body.start, `(${name}) `)
    r.insert(node.body.start + 1, `${r.scopeDeclaration(node)}if (__dporOn) __dpor.caught(${name});`)
  }
  r.visit(node.body)
}

function mayCapture(node: Node): boolean {
  return isFunction(node) || someChild(node, mayCapture)
}

export function VariableDeclaration(node: Node, r: Rewriting): void {
  if (node.declare) return
  if (node.kind === 'await using') awaitUsing(node, r)
  else r.children(node)
}

export function VariableDeclarator(node: Node, r: Rewriting): void {
  const id = node.id as Node
  const init = node.init as Node | null
  declarationPattern(id, r)
  if (!init) return
  if (id.type !== 'Identifier') {
    destructured(id, init, r)
    if (r.ancestors.at(-3)?.type === 'ExportNamedDeclaration') return
    for (const name of restNames(id)) r.insert(node.end, `, ${r.names.fresh()} = ${madeRest(name, r)}`)
    return
  }
  // A declaration is a reference only where it initialises a `var` again.
  const binding = isHoisted(init, r) ? undefined : r.recorded(id)
  const pair = binding || isHoisted(init, r) ? undefined : indexedPairName(node, r)
  const [before, after] = binding ? writeVariable(binding, id, init, r) : pair === undefined ? ['', ''] : ['__dpor.pair(', `, ${r.site(init.start, r.text(init), pair)})`]
  r.wrap(init, before, after)
  nameDeclared(node, r)
}

/** Every iteration has its own variables, so the scope's identity is one of them. */
export function ForStatement(node: Node, r: Rewriting): void {
  const scope = r.analysis.scope(node)
  if (!scope || !r.analysis.hasRecorded(scope) || node.init?.type !== 'VariableDeclaration') {
    r.visit(node.init)
    forTest(node, r)
    r.visit(node.update)
    return r.visit(node.body)
  }
  const identity = r.newScope(scope)
  r.insert(node.init.start + 'let'.length, ` ${identity},`)
  r.visit(node.init)
  forTest(node, r)
  if (node.update) {
    r.insert(node.update.start, `${identity}, `)
    r.visit(node.update)
  } else {
    const first = r.find(';', node.init.end, node.body.start)
    r.insert(node.test ? r.find(';', node.test.end, node.body.start) + 1 : r.find(';', first + 1, node.body.start) + 1, identity)
  }
  r.visit(node.body)
}

export function ForInStatement(node: Node, r: Rewriting): void {
  forHead(node, r)
  const sequence = node.right.type === 'SequenceExpression'
  r.wrap(node.right, `__dpor.enumerate(${sequence ? '(' : ''}`, `${sequence ? ')' : ''}, ${r.site(node.right.start, r.text(node.right))}, true)`)
  forBody(node, r)
}

export function ForOfStatement(node: Node, r: Rewriting): void {
  forHead(node, r)
  const pattern = (node.left.type === 'VariableDeclaration' ? node.left.declarations[0].id : node.left) as Node
  const shape = shapeOf(pattern, '', r)
  const site = r.site(node.right.start, r.text(node.right))
  r.wrap(node.right, node.await ? '__dpor.iterateAsync(' : '__dpor.iterate(', shape ? `, ${site}, { site: ${site}, each: ${shape} })` : `, ${site})`, [node.await ? '__dpor.asyncIterable(' : '__dpor.iterable(', `, ${site})`])
  forBody(node, r)
}

function forHead(node: Node, r: Rewriting): void {
  const left = node.left as Node
  if (left.type === 'VariableDeclaration') {
    if (left.kind === 'await using') r.replace(left.start, left.declarations[0].start, 'const ')
    declarationPattern(left.declarations[0].id, r)
  } else if (left.type === 'ObjectPattern' || left.type === 'ArrayPattern') assignmentPattern(left, r)
  else target(left, r)
}

function forBody(node: Node, r: Rewriting): void {
  const names = node.left.type === 'VariableDeclaration' ? restNames(node.left.declarations[0].id) : []
  const disposed = node.left.kind === 'await using' ? `${disposedAtEnd(node.left.declarations[0], r)};` : ''
  const declaration = iterates(node, r) + r.scopeDeclaration(node) + names.map((name) => `${madeRest(name, r)};`).join('') + disposed
  const body = node.body as Node
  if (!declaration) return r.visit(body)
  if (body.type === 'BlockStatement') {
    r.insert(body.start + 1, declaration)
    return r.visit(body)
  }
  r.insert(body.start, `{${declaration}`)
  r.visit(body)
  r.insert(body.end, '}')
}

/** `await e` -> `await __dpor.suspend(e, site)`. */
export function AwaitExpression(node: Node, r: Rewriting): void {
  if (isHoisted(node, r)) return r.visit(node.argument)
  r.wrap(node.argument, '__dpor.suspend(', `, ${r.site(node.start, r.text(node))})`)
}

/** A label is no expression. */
export function LabeledStatement(node: Node, r: Rewriting): void {
  r.visit(node.body)
}

export function ExportNamedDeclaration(node: Node, r: Rewriting): void {
  r.visit(node.declaration)
}

export function TSModuleDeclaration(node: Node, r: Rewriting): void {
  if (node.declare || node.body?.type !== 'TSModuleBlock') return
  r.insert(node.body.start + 1, r.scopeDeclaration(node.body))
  statements(node.body.body, r)
}

/** Which variables are meant in it is known only when it runs: the file stays as it is. */
export function WithStatement(): never {
  throw new Error('it has a `with` statement')
}

export function nothing(): void {}
