import vm from 'node:vm'
import { Search } from '../../src/engine/index.ts'
import { explore, install } from '../../src/runtime/index.ts'
import { compile, type Program } from './program.ts'
import type { SuiteFile } from './suite.ts'

install()

/** As it is; instrumented, while nothing is explored; instrumented, as the first execution of an exploration. */
export type Way = 'plain' | 'outside' | 'inside'

/** What went wrong, undefined if nothing did. */
export type Result = string | undefined

const nativeThen = Promise.prototype.then
const nativeSetTimeout = setTimeout

/** Milliseconds after which a program counts as one that never ends. */
const patience = 3000

export async function runFile(file: SuiteFile, suite: string, way: Way): Promise<Result> {
  provideHost()
  let program: Program
  try {
    program = compile(file, { suite, isInstrumented: way !== 'plain' })
  } catch (error) {
    if (file.negative?.phase === 'parse' && isOfType(error, file.negative.type)) return undefined
    return `does not compile: ${textOf(error)}`
  }
  if (file.negative?.phase === 'parse') return 'compiles'
  const ended = way === 'inside' ? await ofExecution(program) : await ofCall(program)
  if (!file.negative) return ended === 'passes' ? undefined : ended
  return ended.startsWith(file.negative.type) ? undefined : `${ended}, expected ${file.negative.type}`
}

/** The message of the error with which a file does not compile. */
export function earlyError(file: SuiteFile, suite: string, way: Way): string | undefined {
  try {
    compile(file, { suite, isInstrumented: way !== 'plain' })
    return undefined
  } catch (error) {
    return textOf(error)
  }
}

function ofCall(program: Program): Promise<string> {
  return new Promise((resolve) => {
    nativeSetTimeout(() => resolve('never ends'), patience).unref()
    watch(program(), resolve)
  })
}

async function ofExecution(program: Program): Promise<string> {
  let ended = 'never ends'
  const body = (): unknown => {
    const result = program()
    watch(result, (text) => (ended = text))
    return result
  }
  try {
    const { failures, inconclusiveReason, executions } = await explore(body, { reproduce: 0, maxExecutions: 1, stopOnFirst: true, maxTime: patience }, (given) => new Search(given))
    if (ended !== 'never ends') return ended
    return failures[0] ? `${failures[0].kind}: ${textOf(failures[0].error)}` : executions === 0 ? `inconclusive: ${inconclusiveReason}` : ended
  } catch (error) {
    return `the exploration fails: ${textOf(error)}`
  }
}

function watch(promise: unknown, end: (text: string) => void): void {
  nativeThen.call(promise, () => end('passes'), (error) => end(textOf(error)))
}

function isOfType(error: unknown, type: string): boolean {
  return (error as Error | undefined)?.constructor?.name === type
}

function textOf(error: unknown): string {
  try {
    if (typeof error !== 'object' || error === null) return `threw ${String(error)}`
    return `${(error as Error).constructor?.name}: ${(error as Error).message}`
  } catch {
    return 'threw something without text'
  }
}

/** What the suite expects of its host. */
function provideHost(): void {
  const global = globalThis as unknown as Record<string, unknown>
  global.$262 = {
    global: globalThis,
    gc: () => {},
    evalScript: (code: string) => vm.runInThisContext(code),
    detachArrayBuffer: (buffer: ArrayBuffer) => structuredClone(buffer, { transfer: [buffer] }),
    createRealm() {
      const realm = vm.createContext() as unknown
      return { global: vm.runInContext('globalThis', realm as vm.Context), evalScript: (code: string) => vm.runInContext(code, realm as vm.Context) }
    },
  }
  global.print = () => {}
}
