import { surround } from '../../engine/intrinsics.ts'

/**
 * What a body puts in the place of what the runtime works with itself (`own-tools.ts`): an element of `Array.prototype`, another
 * `Map.prototype.get`. It is there while code of the program runs, or the platform on its behalf, and set aside while the runtime
 * does. That is done where such a change is known to come: an exploration that meets one starts again with it.
 */

const { apply, defineProperty, deleteProperty, getOwnPropertyDescriptor, setPrototypeOf } = globalThis.Reflect

/** A property as the runtime needs it, and as the program has it. */
interface Tool {
  readonly holder: object
  readonly key: PropertyKey
  readonly native: PropertyDescriptor | undefined
  /** The runtime does not work with it. */
  readonly mayStay: boolean
  own: PropertyDescriptor | undefined
}

/** The program may put something else in the place of the runtime's tools. */
export let areKeptApart = false
let isProgramsTurn = false
let tools: Tool[] = []

/** The program is about to change one of them, which nobody expected: the exploration has to start again. */
export class ToolReplaced extends Error {}

/** Descriptors inherit nothing that a program could have added. */
export function propertyOf(holder: object, key: PropertyKey): PropertyDescriptor | undefined {
  const own = getOwnPropertyDescriptor(holder, key)
  if (own) setPrototypeOf(own, null)
  return own
}

function isSame(one: PropertyDescriptor | undefined, other: PropertyDescriptor | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return one.value === other.value && one.get === other.get && one.set === other.set && one.writable === other.writable && one.enumerable === other.enumerable && one.configurable === other.configurable
}

function put({ holder, key }: Tool, own: PropertyDescriptor | undefined): void {
  if (own) defineProperty(holder, key, own)
  else deleteProperty(holder, key)
}

/** Calls nothing that the program can have replaced. */
function giveToProgram(): void {
  isProgramsTurn = true
  for (let i = 0; i < tools.length; i++) {
    const tool = tools[i]!
    if (!isSame(tool.own, tool.native)) put(tool, tool.own)
  }
}

function takeFromProgram(): void {
  for (let i = 0; i < tools.length; i++) {
    const tool = tools[i]!
    tool.own = propertyOf(tool.holder, tool.key)
    if (!isSame(tool.own, tool.native)) put(tool, tool.native)
  }
  isProgramsTurn = false
}

/** Runs code of the program, or the platform on its behalf. */
export function asProgram<T>(code: () => T): T {
  if (!areKeptApart || isProgramsTurn) return code()
  giveToProgram()
  try {
    return code()
  } finally {
    runtimeGoesOn()
  }
}

/** Code of the runtime, called by the program or by the platform. */
export function asRuntime<T>(code: () => T): T {
  if (!isProgramsTurn) return code()
  takeFromProgram()
  try {
    return code()
  } finally {
    giveToProgram()
  }
}

type AnyFunction = (...args: any[]) => any

/** `Reflect.apply`, of what is the runtime's own. */
export const callOwn = apply

/** A function of the runtime that others call. */
export function calledByProgram<F extends AnyFunction>(fn: F): F {
  if (!areKeptApart) return fn
  return function (this: unknown, ...args: unknown[]): unknown {
    '__dpor'
    return asRuntime(() => apply(fn, this, args) as unknown)
  } as F
}

/** A function of the program that the runtime calls without `Reflect.apply`. */
export function callsProgram<F extends AnyFunction>(fn: F): F {
  if (!areKeptApart) return fn
  return function (this: unknown, ...args: unknown[]): unknown {
    return asProgram(() => apply(fn, this, args) as unknown)
  } as F
}

/** `object[key]`, as the program has it. */
export function lookUp(object: unknown, key: PropertyKey): unknown {
  return asProgram(() => (object as Record<PropertyKey, unknown>)[key])
}

/** Code of the program goes on, until `runtimeGoesOn`: Node itself works with the same tools. */
export function programGoesOn(): void {
  if (areKeptApart && !isProgramsTurn) giveToProgram()
}

export function runtimeGoesOn(): void {
  if (isProgramsTurn) takeFromProgram()
}

/** Whether code of the program runs, and finds what it has not put there. */
export function isMisled(): boolean {
  if (isProgramsTurn) return false
  for (let i = 0; i < tools.length; i++) if (!isSame(tools[i]!.own, tools[i]!.native)) return true
  return false
}

/** What is only to be asked in the runtime's turn: where it is the program's, its answers would rest on what the program has put there. */
export function inRuntimesTurn<T extends object>(asked: T, refuse: () => never): T {
  if (!areKeptApart) return asked
  return new Proxy(asked, {
    get(_, key) {
      if (isProgramsTurn && hasReplaced()) refuse()
      const value: unknown = (asked as Record<PropertyKey, unknown>)[key]
      return typeof value === 'function' ? (...args: unknown[]) => apply(value as AnyFunction, asked, args) as unknown : value
    },
  })
}

function hasReplaced(): boolean {
  for (let i = 0; i < tools.length; i++) if (!isSame(propertyOf(tools[i]!.holder, tools[i]!.key), tools[i]!.native)) return true
  return false
}

/**
 * Before a body changes one of the tools.
 * @param ofPlatform what the platform has there, where that is needed by others than the runtime: what the body leaves may stay
 */
export function toolChanges(holder: object, key: PropertyKey, ofPlatform: PropertyDescriptor | undefined): void {
  for (let i = 0; i < tools.length; i++) if (tools[i]!.holder === holder && tools[i]!.key === key) return
  const own = propertyOf(holder, key)
  tools.push({ holder, key, native: ofPlatform ?? own, mayStay: ofPlatform !== undefined, own })
}

/** An execution ends, whose changes are undone, or left as far as they may. */
export function forgetChangedTools({ leavesState }: { readonly leavesState: boolean }): void {
  runtimeGoesOn()
  const changed = tools
  tools = []
  if (!leavesState) return
  for (let i = 0; i < changed.length; i++) {
    const tool = changed[i]!
    if (tool.mayStay && !isSame(tool.own, tool.native)) put(tool, tool.own)
  }
}

/** From now on the program and the runtime each have their own, until what it returns is called. */
export function keepToolsApart(): () => void {
  const release = surround((native, key) => function (...args) {
    // The descriptor is of the runtime, and has what it has whatever the program adds to the prototype of objects.
    if (key === 'defineProperty') setPrototypeOf(args[2] as object, null)
    if (isProgramsTurn) return apply(native, undefined, args) as unknown
    giveToProgram()
    try {
      return apply(native, undefined, args) as unknown
    } finally {
      runtimeGoesOn()
    }
  })
  areKeptApart = true
  return () => {
    areKeptApart = false
    release()
  }
}
