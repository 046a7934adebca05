import { Array, ArrayBuffer, Object, Reflect } from '../../../engine/intrinsics.ts'

/**
 * The values that a call of a statement gives to its parameters: `?`, `?2`, `:name`, `@name`, `$name`. Undefined of those of which that is not known, as of all that were
 * bound before.
 */
export function valuesIn(args: readonly unknown[], parameters: readonly string[]): readonly unknown[] {
  const named = args.find((arg) => isPlain(arg)) as object | undefined
  const listed = args.filter((arg) => arg !== named).flatMap((arg) => (Array.isArray(arg) ? (arg as readonly unknown[]) : [arg]))
  const areNumbered = parameters.some((parameter) => /^\?\d/.test(parameter))
  let next = 0
  return parameters.map((parameter) => {
    if (parameter === '?') return areNumbered ? undefined : listed[next++]
    if (parameter.startsWith('?')) return named === undefined && parameters.every((one) => /^\?\d/.test(one)) ? listed[Number(parameter.slice(1)) - 1] : undefined
    return named && (own(named, parameter) ?? own(named, parameter.slice(1)))
  })
}

const isPlain = (arg: unknown): boolean => typeof arg === 'object' && arg !== null && !Array.isArray(arg) && !ArrayBuffer.isView(arg)

/** No accessor is called a second time. */
const own = (object: object, name: string): unknown => (Object.hasOwn(object, name) ? (Reflect.getOwnPropertyDescriptor(object, name)?.value as unknown) : undefined)
