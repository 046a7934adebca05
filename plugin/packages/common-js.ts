import Module from 'node:module'
import type { Instrument } from './modules.ts'

type Compile = (this: unknown, content: string, file: string, ...others: unknown[]) => unknown

/** Where Node compiles what it has read. */
const key = '_compile'

/** Instruments what is required, by whomever, and CommonJS that is imported. */
export function hookCommonJs(instrument: Instrument): void {
  const compile = Reflect.get(Module.prototype, key) as Compile
  const instrumenting: Compile = function (content, file, ...others) {
    return Reflect.apply(compile, this, [instrument(content, file) ?? content, file, ...others])
  }
  Reflect.set(Module.prototype, key, instrumenting)
}
