import { besideSteps } from './running.ts'

const { inspect } = globalThis.process?.getBuiltinModule?.('node:util') ?? {}
/** As little as may be is looked at, and none of anybody's code runs for it. */
const shortly = { customInspect: false, showProxy: true, depth: 0, maxArrayLength: 0, maxStringLength: 0, compact: true, breakLength: Infinity } as const

/** Whether a native promise was rejected. Who asks does not handle that. Where nobody can tell, it may have been. */
export const isRejected = (promise: object): boolean => inspect === undefined || besideSteps(() => /^[^{]*\{\s*<rejected>/.test(inspect(promise, shortly)))
