import { Object, Reflect } from '../../engine/intrinsics.ts'
import { asRuntime, calledByProgram, callOwn, callsProgram, isMisled, keepToolsApart } from '../execution/replaced-tools.ts'
import { running } from '../execution/running.ts'
import { globalName, type Emitted } from './emitted.ts'
import { inert } from './inert.ts'
import { plain, runtime } from './runtime.ts'

type AnyFunction = (...args: any[]) => any

/** Which arguments are functions of the program that the call itself calls. */
const called: { readonly [Name in keyof Emitted]?: readonly number[] } = {
  assignIf: [4],
  callIf: [3, 4],
  drive: [0],
  given: [1],
  loads: [0],
  optional: [1],
  privateReference: [3, 4],
  run: [0],
  superIncrement: [6],
  superReference: [3],
  superSet: [4],
  update: [3],
  variable: [3, 4],
}

/** What gives the program a function of the runtime, or a place to assign to, for it to use by itself. */
const handsOut: ReadonlySet<string> = new Set<keyof Emitted>(['callee', 'method', 'privateReference', 'reference', 'superReference', 'variable'])

/** What others call than code of the program: the runtime lets Node load a module, which runs as the program then. */
const byOthers: ReadonlySet<string> = new Set<keyof Emitted>(['loads'])

/** What emitted code calls where the program and the runtime each have their own tools: every call passes from one to the other. */
function keptApart(): Emitted {
  const calls: Record<string, unknown> = {}
  for (const [name, own] of Object.entries(Object.getOwnPropertyDescriptors(runtime))) {
    const call: unknown = own.value
    if (typeof call !== 'function') Object.defineProperty(calls, name, own)
    else calls[name] = passing(name as keyof Emitted, call as AnyFunction)
  }
  return calls as unknown as Emitted
}

function passing(name: keyof Emitted, call: AnyFunction): AnyFunction {
  const positions = called[name]
  const givesTool = handsOut.has(name)
  const isOfProgram = !byOthers.has(name)
  return function (this: unknown, ...args: unknown[]): unknown {
    if (isOfProgram && isMisled()) running?.refuseMisled()
    return asRuntime(() => {
      for (const at of positions ?? []) if (typeof args[at] === 'function') args[at] = callsProgram(args[at] as AnyFunction)
      const result: unknown = callOwn(call, this, args)
      return givesTool && result !== args[0] ? handedOut(result) : result
    })
  }
}

function handedOut(tool: unknown): unknown {
  if (typeof tool === 'function') return calledByProgram(tool as AnyFunction)
  const { get, set } = Object.getOwnPropertyDescriptor(tool, 'value')!
  return Object.defineProperty(tool as object, 'value', { ...(get && { get: calledByProgram(get) }), ...(set && { set: calledByProgram(set) }) })
}

/** From now on the program may replace what the runtime works with, until what it returns is called. */
export function keepApart(): () => void {
  const release = keepToolsApart()
  for (const [name, call] of Object.entries(inert)) if (typeof call === 'function') Object.assign(plain, { [name]: callsProgram(call as AnyFunction) })
  Reflect.set(globalThis, globalName, keptApart())
  return () => {
    Object.assign(plain, inert)
    Reflect.set(globalThis, globalName, runtime)
    release()
  }
}
