import { type Node, unwrap } from '../1-parse/node.ts'
import { isMadeInside } from './declared-functions.ts'
import { isReplaceableGlobal, isSharedGlobal, looksAtReplaced } from './globals.ts'
import { access, isPrivate, memberSite } from './members.ts'
import { quote } from './names.ts'
import { nativeChain } from './native-chains.ts'
import { destructured, assignmentPattern } from './patterns.ts'
import { isPrivateField, privateIn, privatePlace, withPrivateObject } from './privates.ts'
import { isRepeatable } from './repeatable.ts'
import { isCoercing, isPrimitive, operand, operands } from './operands.ts'
import { isUnused, unusedArgument } from './results.ts'
import type { Rewriting } from './rewriting.ts'
import { increaseVariable, incrementVariable, readVariable, writeVariable } from './variables.ts'
import { emitChain } from './chains.ts'
import { isSuper, superAssignment, superUpdate } from './supers.ts'

/** `+=` and `-=`: where nothing sees the result, an addition to a counter is more than any other change. */
const isIncrease = (operator: string): boolean => operator === '+=' || operator === '-='

const signOf = (operator: string): string => (operator === '+=' ? '1' : '-1')

const isLogical = (operator: string): boolean => operator === '??=' || operator === '||=' || operator === '&&='

export function AssignmentExpression(node: Node, r: Rewriting): void {
  const target = unwrap(node.left)
  const operator = r.find(node.operator, node.left.end, node.right.start)
  const after = operator + (node.operator as string).length
  switch (target.type) {
    case 'Identifier': return assignVariable(node, target, { operator, after }, r)
    case 'MemberExpression':
      if (isPrivate(target)) return assignPrivate(node, target, { operator, after }, r)
      if (isSuper(target)) return superAssignment(node, target, after, r)
      return assignMember(node, target, after, r)
    default:
      assignmentPattern(target, r)
      return destructured(target, node.right, r, { used: r.parent.type !== 'ExpressionStatement' })
  }
}

function assignMember(node: Node, target: Node, upTo: number, r: Rewriting): void {
  const operator = node.operator as string
  const site = memberSite(target, r)
  const right = node.right as Node
  const outer = { start: node.start, end: node.left.end }
  if (operator === '=') {
    access(target, r, { outer, upTo, open: '__dpor.set(', close: ',' })
    r.visit(right)
    r.insert(right.end, `, ${site})`)
  } else if (isIncrease(operator) && isUnused(r) && !r.analysis.suspends(right)) {
    access(target, r, { outer, upTo, open: '__dpor.increased(__dpor.increasing(', close: `, ${site}, ${signOf(operator)}), (` })
    operand(right, r)
    r.insert(right.end, '))')
  } else if (r.canKeep) {
    assignFound(node, target, upTo, r)
  } else if (isLogical(operator)) {
    access(target, r, { outer, upTo, open: '__dpor.assignIf(', close: `, ${site}, '${operator.slice(0, -1)}', () =>` })
    r.visit(right)
    r.insert(right.end, ')')
  } else {
    const old = r.names.fresh()
    access(target, r, { outer, upTo, open: '__dpor.update(', close: `, ${site}, (${old}) => ${old} ${operator.slice(0, -1)} (` })
    operand(right, r)
    r.insert(right.end, '))')
  }
}

/** `o.p += v` -> `__dpor.assigned($1 = __dpor.reading(o, 'p', site), $1.old + (v))`: nothing captures what `v` uses. */
function assignFound(node: Node, target: Node, upTo: number, r: Rewriting): void {
  const operator = (node.operator as string).slice(0, -1)
  const site = memberSite(target, r)
  const found = r.temporary()
  const reading = `${found} = __dpor.reading(`
  if (isLogical(node.operator)) {
    access(target, r, { outer: { start: node.start, end: node.left.end }, upTo, open: `((${reading}`, close: `, ${site})).old ${operator} __dpor.assigned(${found},` })
    r.visit(node.right)
    return void r.insert(node.right.end, '))')
  }
  access(target, r, { outer: { start: node.start, end: node.left.end }, upTo, open: `__dpor.assigned(${reading}`, close: `, ${site}), __dpor.coerced(${found}.old, ${site}) ${operator} (` })
  operand(node.right, r)
  r.insert(node.right.end, '))')
}

/** A variable that only its own function sees: what it holds may be seen by others. */
function assignLocal(node: Node, target: Node, r: Rewriting): void {
  if (node.operator === '=' && target === node.left && isMadeInside(node.right, r)) {
    r.insert(node.start, '(')
    r.visit(node.right)
    return void r.insert(node.end, `, __dporOn ? __dpor.closure(${target.name}) : ${target.name})`)
  }
  if (!isCoercing((node.operator as string).slice(0, -1))) return r.visit(node.right)
  if (!isPrimitive(target, r) && target === node.left) {
    const name = target.name as string
    r.insert(node.start, `(typeof ${name} === 'object' && __dpor.coerced(${name}, ${r.site(target.start, name)}), `)
    operand(node.right, r)
    r.insert(node.end, ')')
  } else operand(node.right, r)
}

function assignVariable(node: Node, target: Node, { operator, after }: { operator: number; after: number }, r: Rewriting): void {
  const binding = r.recorded(target)
  const right = node.right as Node
  if (!binding) return assignLocal(node, target, r)
  const symbol = (node.operator as string).slice(0, -1)
  const [before, end] = writeVariable(binding, target, symbol && !isLogical(node.operator) ? undefined : right, r)
  if (!symbol) {
    r.insert(right.start, before)
    r.visit(right)
    r.insert(right.end, end)
  } else if (isLogical(node.operator)) {
    r.insert(node.start, `(${readVariable(binding, target, r)} ${symbol} (`)
    r.replace(operator, after, `= ${before}`)
    r.visit(right)
    r.insert(right.end, `${end}))`)
  } else if (isIncrease(node.operator) && isUnused(r) && !r.analysis.suspends(right)) {
    const [opening, closing] = increaseVariable(binding, target, signOf(node.operator), r)
    r.replace(operator, after, `= ${opening}(`)
    operand(right, r)
    r.insert(right.end, `)${closing}`)
  } else {
    r.replace(operator, after, `= ${before}__dpor.coerced(${readVariable(binding, target, r)}, ${r.site(target.start, binding.name)}) ${symbol} (`)
    operand(right, r)
    r.insert(right.end, `)${end}`)
  }
}

/** In parentheses or a type assertion. */
const isWrapped = (node: Node, target: Node, r: Rewriting): boolean =>
  r.count('(', node.start, target.start) > 0 || unwrap(node.left ?? node.argument) !== (node.left ?? node.argument)

function assignPrivate(node: Node, target: Node, { after }: { operator: number; after: number }, r: Rewriting): void {
  const right = node.right as Node
  if (!isPrivateField(target, r) || isWrapped(node, target, r)) {
    nativeChain(target.object, r)
    return r.visit(right)
  }
  withPrivateObject(target, node, r, (object, start) => {
    const { field, place, read, find, restore } = privatePlace(object, target, r)
    const symbol = (node.operator as string).slice(0, -1)
    const write = `${field} = __dpor.privateSet(${place}, ${find}, `
    if (!symbol) {
      r.replace(start, after, write)
      r.visit(right)
      r.insert(right.end, `, ${restore})`)
    } else if (isLogical(node.operator)) {
      r.replace(start, after, `(${read} ${symbol} (${write}`)
      r.visit(right)
      r.insert(right.end, `, ${restore})))`)
    } else if (isIncrease(node.operator) && isUnused(r) && !r.analysis.suspends(right)) {
      r.replace(start, after, `${field} = __dpor.privateIncreases(${place}, ${field}, ${signOf(node.operator)}, (`)
      operand(right, r)
      r.insert(right.end, `), ${restore})`)
    } else {
      r.replace(start, after, `${write}__dpor.coerced(${read}, ${r.site(target.start, r.text(target))}) ${symbol} (`)
      operand(right, r)
      r.insert(right.end, `), ${restore})`)
    }
  })
}

export function UpdateExpression(node: Node, r: Rewriting): void {
  const target = unwrap(node.argument)
  if (target.type === 'Identifier') {
    const binding = r.recorded(target)
    if (binding) incrementVariable(binding, node, r)
    return
  }
  if (target.type !== 'MemberExpression') return
  if (isSuper(target)) return superUpdate(node, target, r)
  if (isPrivate(target)) return updatePrivate(node, target, r)
  const by = node.operator === '++' ? 1 : -1
  const close = `, ${memberSite(target, r)}, ${by}, ${node.prefix}${unusedArgument(r)})`
  if (node.prefix) r.replace(node.start, node.start + 2, '__dpor.increment(')
  access(target, r, { outer: node.prefix ? { start: node.start + 2, end: node.end } : node, upTo: node.end, open: node.prefix ? '' : '__dpor.increment(', close })
}

function updatePrivate(node: Node, target: Node, r: Rewriting): void {
  if (!isPrivateField(target, r) || isWrapped(node, target, r)) return nativeChain(target.object, r)
  const by = node.operator === '++' ? 1 : -1
  const emit = (object: string, start: number): void => {
    const { field, place, restore } = privatePlace(object, target, r)
    const update = node.prefix ? `${node.operator}${field}` : `${field}${node.operator}`
    r.replace(start, node.end, `(__dpor.privateIncrements(${place}, ${field}, ${by}, ${restore}${unusedArgument(r)}), ${update})`)
  }
  // The object comes after the operator, which then has to go first.
  if (node.prefix && !isRepeatable(target.object, r)) r.replace(node.start, node.start + 2, '')
  withPrivateObject(target, node, r, emit)
}

export function UnaryExpression(node: Node, r: Rewriting): void {
  if (node.operator === '+' || node.operator === '-' || node.operator === '~') return operand(node.argument, r)
  if (node.operator === 'typeof' && node.argument.type === 'Identifier' && isSharedGlobal(node.argument, r)) {
    // Nothing of this name need be there.
    r.insert(node.start, `(__dpor.has(${quote(node.argument.name)}, globalThis, ${r.site(node.argument.start, node.argument.name)}), `)
    return void r.insert(node.end, ')')
  }
  if (node.operator === 'typeof' && node.argument.type === 'Identifier' && isReplaceableGlobal(node.argument, r)) {
    // A body may have taken it away.
    r.insert(node.start, `(${looksAtReplaced(node.argument, r)}, `)
    return void r.insert(node.end, ')')
  }
  if (node.operator !== 'delete') return r.children(node)
  const target = unwrap(node.argument)
  if (target.type === 'ChainExpression') {
    r.replace(node.start, node.start + 'delete'.length, '(')
    emitChain(target.expression, r, { remove: true })
    r.insert(node.end, ' ?? true)')
  } else if (target.type === 'MemberExpression' && target.object.type !== 'Super' && !isPrivate(target)) {
    r.replace(node.start, node.start + 'delete'.length, '__dpor.remove(')
    access(target, r, { outer: node.argument, open: '', close: `, ${memberSite(target, r)})` })
  } else if (target.type === 'MemberExpression' && target.object.type === 'Super') nativeChain(target, r)
  else r.children(node)
}

/** Operators that are calls of the runtime. */
const callsFor: Readonly<Record<string, string | undefined>> = { in: 'has', instanceof: 'instanceOf' }

/** `k in o` -> `__dpor.has(k, o, site)`, `v instanceof C` -> `__dpor.instanceOf(v, C, site)`. */
export function BinaryExpression(node: Node, r: Rewriting): void {
  const call = callsFor[node.operator]
  if (!call) return operands(node, r)
  if (node.left.type === 'PrivateIdentifier') return privateIn(node, r)
  const operator = r.find(node.operator, node.left.end, node.right.start)
  r.insert(node.start, `__dpor.${call}(`)
  r.visit(node.left)
  r.replace(operator, operator + (node.operator as string).length, ',')
  r.visit(node.right)
  r.insert(node.right.end, `, ${r.site(node.start, r.text(node))})`)
}
