import { asRuntime, callOwn, knowMockLibrary, loaded, type MockMakers, standsForPlatform, toldAsOpaque } from '../runtime/index.ts'

export type Tool = (...args: unknown[]) => unknown

/** The functions that a test framework offers its tests, by names: `vi`, `jest`. */
export interface KnownTools {
  /** They only pass on what they are asked, to a clock that tells itself what it does or to a callback, and keep nothing that two calls could share. */
  readonly passingOn: readonly string[]
  /** They put something else in the place of what they are given, or of what is on the global object. */
  readonly replacing: Readonly<Record<string, (tool: Tool) => Tool>>
  /** They load a file, by the place of who calls them. */
  readonly loading?: readonly string[]
  /** What the others change, they tell. */
  readonly telling: Readonly<Record<string, (tool: Tool) => Tool>>
}

export const asItIs = (tool: Tool): Tool => tool

const known = Symbol.for('vitest-dpor tools')

/** Calls of these stand in the source as they were written, because the framework knows some of them by their text. So they tell of themselves. */
export function knowTools(tools: object, { passingOn, replacing, loading = [], telling }: KnownTools): void {
  if (Reflect.get(tools, known)) return
  Object.defineProperty(tools, known, { value: true })
  knowMockLibrary(tools as MockMakers)
  for (const name of passingOn) replace(tools, name, standing)
  for (const [name, made] of Object.entries(replacing)) replace(tools, name, (tool) => toldAsOpaque(made(tool)))
  for (const name of loading) replace(tools, name, (tool) => standing(waitedFor(tool)))
  for (const [name, told] of Object.entries(telling)) replace(tools, name, (tool) => standing(entered(told(tool))))
}

/** The body calls it, which may have replaced what it works with. */
const entered = (told: Tool): Tool => function (this: unknown, ...args) {
  return asRuntime(() => callOwn(told, this, args) as unknown)
}

/** Who calls is looked for among the next few frames of the stack, after the last one that has the name of the tool. */
const waitedFor = (tool: Tool): Tool => (...args) => {
  const file = tool(...args) as Promise<unknown>
  return asRuntime(() => loaded(file))
}

function standing(tool: Tool): Tool {
  standsForPlatform(tool)
  return tool
}

function replace(tools: object, name: string, make: (tool: Tool) => Tool): void {
  const tool: unknown = Reflect.get(tools, name)
  if (typeof tool !== 'function') return
  const told = make(tool as Tool)
  if (told !== tool) Object.defineProperties(told, Object.getOwnPropertyDescriptors(tool))
  Reflect.set(tools, name, told)
}
