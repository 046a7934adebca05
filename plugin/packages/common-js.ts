import Module from 'node:module'
import { globalName } from '../../src/runtime/calls/emitted.ts'
import type { Instrument } from './modules.ts'

type Compile = (this: unknown, content: string, file: string, ...others: unknown[]) => unknown

/** Where Node compiles what it has read. */
const key = '_compile'

/** Instruments what is required, by whomever, and CommonJS that is imported. */
export function hookCommonJs(instrument: Instrument): void {
  const compile = Reflect.get(Module.prototype, key) as Compile
  const instrumenting: Compile = function (content, file, ...others) {
    const run = (): unknown => Reflect.apply(compile, this, [instrument(content, file) ?? content, file, ...others])
    const runtime = globalThis[globalName]
    return runtime ? runtime.loads(run) : run()
  }
  Reflect.set(Module.prototype, key, instrumenting)
}
