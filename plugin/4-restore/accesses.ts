import type { Node } from '../1-parse/node.ts'
import type { Restoring } from './restoring.ts'
import { nameOf } from './shapes.ts'

/** An access as it was written. */
interface Access {
  readonly text: string
  /** Whether an operator may take it apart. */
  readonly isLoose: boolean
}

export const isLoose = ({ type }: Node): boolean => /^(?:Binary|Logical|Conditional|Assignment|Sequence|ArrowFunction|Yield|Await|Unary|Update)Expression$/.test(type)

function operand(node: Node, restoring: Restoring): string {
  if (node.type === 'Super') return 'super'
  const text = restoring.text(node)
  return isLoose(node) || /^(?:Function|Class|Object)Expression$/.test(node.type) ? `(${text})` : text
}

/** `o.a`, `o['a-b']`, `o[k]` */
function member(object: Node, key: Node, restoring: Restoring): string {
  const before = operand(object, restoring)
  const isName = key.type === 'Literal' && typeof key.value === 'string' && /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key.value)
  return isName ? `${before}.${String(key.value)}` : `${before}[${restoring.text(key)}]`
}

const listed = (list: Node, restoring: Restoring): string => restoring.between((list.elements as (Node | null)[]).filter((node): node is Node => !!node), { start: list.start + 1, end: list.end - 1 })

type Write = (given: readonly Node[], restoring: Restoring) => Access | undefined

const tight = (text: string): Access => ({ text, isLoose: false })
const loose = (text: string): Access => ({ text, isLoose: true })

/** By the name of the function of the runtime: what is written there where nothing stands beside it. */
export const accesses: Readonly<Record<string, Write | undefined>> = {
  get: ([object, key], r) => tight(member(object!, key!, r)),
  method: ([object, key], r) => tight(member(object!, key!, r)),
  set: ([object, key, value], r) => loose(`${member(object!, key!, r)} = ${r.text(value!)}`),
  call: ([object, key, , list], r) => (list?.type === 'ArrayExpression' ? tight(`${member(object!, key!, r)}(${listed(list, r)})`) : undefined),
  callFound: ([found, list], r) => (nameOf(found!) === 'found' && list?.type === 'ArrayExpression' ? tight(`${member(found!.arguments[0] as Node, found!.arguments[1] as Node, r)}(${listed(list, r)})`) : undefined),
  construct: ([constructor, , list], r) => {
    if (list?.type !== 'ArrayExpression') return undefined
    const text = operand(constructor!, r)
    return tight(`new ${text.includes('(') && !text.startsWith('(') ? `(${text})` : text}(${listed(list, r)})`)
  },
  invoke: ([fn, self, , list], r) => {
    if (list?.type !== 'ArrayExpression') return undefined
    if (nameOf(fn!) === 'superGet') return tight(`${member({ ...fn!, type: 'Super' }, fn!.arguments[1] as Node, r)}(${listed(list, r)})`)
    return r.text(self!) === 'void 0' ? tight(`${operand(fn!, r)}(${listed(list, r)})`) : undefined
  },
  has: ([key, object], r) => loose(`${r.text(key!)} in ${r.text(object!)}`),
  instanceOf: ([value, constructor], r) => loose(`${r.text(value!)} instanceof ${r.text(constructor!)}`),
  remove: ([object, key], r) => loose(`delete ${member(object!, key!, r)}`),
  imported: ([values, load], r) => {
    const [value] = (values?.elements ?? []) as Node[]
    return load ? tight(value ? `import(${r.text(value)})` : r.text(load.body as Node)) : undefined
  },
}

/** `__dpor.reference(o, 'a', site).value`, `__dpor.variable(scope, 'a', ...).value`, `{ 'f': () => {} }['f']`, which gives a function its name. */
export function referenceText({ object, property, computed }: Node, restoring: Restoring): string | undefined {
  if (computed && object.type === 'ObjectExpression' && object.properties.length === 1) {
    const { key, value, method } = object.properties[0] as Node
    return !method && key?.value === property.value && /^(?:ArrowFunction|Function|Class)Expression$/.test(value.type as string) ? restoring.text(value as Node) : undefined
  }
  if (property.name !== 'value') return undefined
  const name = nameOf(object as Node)
  const given = (object.arguments ?? []) as Node[]
  if (name === 'variable') return String(given[1]!.value)
  return name === 'reference' ? member(given[0]!, given[1]!, restoring) : undefined
}
