import { isAnonymousDefinition, type Node } from '../1-parse/node.ts'
import type { Binding } from '../2-analyse/binding.ts'
import { isMadeInside } from './declared-functions.ts'
import { liveRead } from './live-bindings.ts'
import { naming } from './names.ts'
import { unusedArgument } from './results.ts'
import type { Rewriting } from './rewriting.ts'

export function Identifier(node: Node, r: Rewriting): void {
  r.uses(node)
  const binding = r.recorded(node)
  if (!binding) return imported(node, r)
  r.insert(node.start, `${readPrefix(binding, node, r)}`)
  r.insert(node.end, ')')
}

function imported(node: Node, r: Rewriting): void {
  const read = liveRead(node, r)
  if (!read) return
  r.insert(node.start, read.before)
  r.insert(node.end, read.after)
}

const readPrefix = (binding: Binding, node: Node, r: Rewriting): string =>
  `__dpor.read(${r.variable(binding)}, ${r.site(node.start, binding.name)}, `

export const readVariable = (binding: Binding, node: Node, r: Rewriting): string => `${readPrefix(binding, node, r)}${binding.name})`

const restore = (name: string, r: Rewriting): string => {
  const value = r.names.fresh()
  return `(${value}) => { ${name} = ${value} }`
}

/** What is in the variable before it is written; of a name that is declared nowhere there may be nothing. */
const current = ({ name, scope }: Binding): string => (scope.type === 'global' ? `typeof ${name} === 'undefined' ? void 0 : ${name}` : name)

/** What stands before and after the value that is written. */
export function writeVariable(binding: Binding, node: Node, value: Node | undefined, r: Rewriting): [before: string, after: string] {
  const { name } = binding
  const before = `__dpor.write(${r.variable(binding)}, ${r.site(node.start, name)}, ${current(binding)}, `
  const after = `, ${restore(name, r)})`
  const [made, afterMade] = value && isMadeInside(value, r) ? ['__dpor.closure(', ')'] : ['', '']
  // A function takes its name from the variable, which an argument of a call does not give it.
  const [named, afterNamed] = value && isAnonymousDefinition(value) ? naming(name) : ['', '']
  return [`${before}${made}${named}`, `${afterNamed}${afterMade}${after}`]
}

/** The variable as a place to assign to, inside a pattern. */
export function variablePlace(binding: Binding, node: Node, r: Rewriting): string {
  const { name } = binding
  return `__dpor.variable(${r.variable(binding)}, ${r.site(node.start, name)}, () => ${name}, ${restore(name, r)}).value`
}

/** What stands before and after what is added to the variable, where nothing sees the result. */
export function increaseVariable(binding: Binding, node: Node, sign: string, r: Rewriting): [before: string, after: string] {
  const { name } = binding
  return [`__dpor.increases(${r.variable(binding)}, ${r.site(node.start, name)}, ${name}, ${sign}, `, `, ${restore(name, r)})`]
}

/** `x++` -> `__dpor.increments(...), x++`. */
export function incrementVariable(binding: Binding, update: Node, r: Rewriting): void {
  const { name } = binding
  const by = update.operator === '++' ? 1 : -1
  const call = `__dpor.increments(${r.variable(binding)}, ${r.site(update.argument.start, name)}, ${name}, ${by}, ${restore(name, r)}${unusedArgument(r)}), `
  r.insert(update.start, `(${call}`)
  r.insert(update.end, ')')
}
