/**
 * Runs before Vitest in a worker whose test files each have a context of their own. There Vitest reads packages and runs them itself,
 * by `vm.Script` what is CommonJS, and by `vm.SourceTextModule` what is not.
 */
import vm from 'node:vm'
import { fileURLToPath } from 'node:url'
import { globalName } from '../../src/runtime/calls/emitted.ts'
import { Instrumenter } from './instrument.ts'
import { inContexts, type Switch } from './contexts.ts'
import * as makers from './makers.ts'

type Make = new (code: string, options?: vm.ScriptOptions & { readonly identifier?: string }) => object

/** Of the test file that runs now. */
let instrumenter: Instrumenter | undefined

/** What Vitest puts around CommonJS. */
const beginning = '(function (exports, require, module, __filename, __dirname) { '
const end = '\n});'
/** Its code is run once, whoever asks for it first. */
const loads = `return ${globalName}.loads(() => {`

function replace(name: 'Script' | 'SourceTextModule', instrumented: (code: string, options: vm.ScriptOptions & { readonly identifier?: string }) => string): void {
  const original = Reflect.get(vm, name) as Make | undefined
  if (original === undefined) return
  const Instrumented = class extends original {
    constructor(code: string, options?: vm.ScriptOptions & { readonly identifier?: string }) {
      super(instrumenter && typeof options === 'object' ? instrumented(code, options) : code, options)
    }
  }
  Object.defineProperty(Instrumented, 'name', { value: name })
  Reflect.set(vm, name, Instrumented)
}

replace('Script', (code, { filename }) => {
  if (filename === undefined || !code.startsWith(beginning) || !code.endsWith(end)) return code
  const inner = instrumenter!.instrument(code.slice(beginning.length, -end.length), filename)
  return inner === undefined ? code : `${beginning}${loads}${inner}\n})${end}`
})

replace('SourceTextModule', (code, { identifier }) =>
  identifier?.startsWith('file:') ? (instrumenter!.instrument(code, fileURLToPath(identifier.split('?', 1)[0]!)) ?? code) : code,
)

const turn: Switch = (provided, tell) => {
  instrumenter = provided && new Instrumenter(provided, makers, tell)
  return instrumenter?.texts
}

Reflect.set(vm, inContexts, turn)
