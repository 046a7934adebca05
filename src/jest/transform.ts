/** The transformer for Jest: instruments a file as it was written, and hands it on to the one that compiles it. */
import { createHash } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import { rewrite } from '../../plugin/3-rewrite/rewrite.ts'
import { asPosix, fileFilter } from '../../plugin/files.ts'
import { ownVersion } from '../../plugin/own-version.ts'
import { globalName } from '../runtime/calls/emitted.ts'
import { installInert } from '../runtime/calls/inert.ts'
import { besideRuntime } from './beside-runtime.ts'
import { chained, type MapData } from './maps.ts'

export interface Transformed {
  readonly code: string
  readonly map?: MapData | string | null
}

/** What Jest says of the file, as far as it is used here. */
interface TransformOptions {
  readonly configString: string
  readonly instrument: boolean
  readonly supportsStaticESM: boolean
  readonly transformerConfig: unknown
}

interface Transformer {
  readonly process?: (source: string, file: string, options: TransformOptions) => Transformed
  readonly getCacheKey?: (source: string, file: string, options: TransformOptions) => string
}

/** What `withDpor()` tells: the file of the next transformer, and its options. */
interface TransformerOptions {
  readonly next: string | readonly [file: string, options: object]
}

/** Called by Jest. */
export async function createTransformer({ next }: TransformerOptions): Promise<Required<Transformer>> {
  // Global setup files run in this realm, where nothing is explored.
  if (!globalThis[globalName]) installInert()
  const [file, own] = typeof next === 'string' ? [next, {}] : next
  const compiler = await load(file, own)
  /** Where coverage is asked for, Jest itself counts what comes out here. */
  const forNext = (options: TransformOptions): TransformOptions => ({ ...options, instrument: false, transformerConfig: own })
  const compile = (source: string, of: string, options: TransformOptions): Transformed => compiler.process(source, of, forNext(options))
  return {
    process: (source, of, options) => instrumented(source, of, options, compile) ?? compile(source, of, options),
    getCacheKey(source, of, options) {
      const key = compiler.getCacheKey?.(source, of, forNext(options)) ?? [source, of, options.configString].join('\0')
      return createHash('sha256').update([ownVersion(), file, JSON.stringify(own), key, options.instrument, options.supportsStaticESM].join('\0')).digest('hex').slice(0, 32)
    },
  }
}

// Jest looks for it here.
export default { createTransformer }

const fileOf = fileFilter({})

/** Undefined where there is nothing to instrument. */
function instrumented(source: string, file: string, options: TransformOptions, compile: Required<Transformer>['process']): Transformed | undefined {
  const name = fileOf(asPosix(file))
  const rewritten = name === undefined ? undefined : rewrite(source, name)
  if (!rewritten) return undefined
  if (options.supportsStaticESM) throw new Error(`vitest-dpor: ${file} is a native ES module for Jest, which are not explored. Let Jest compile it to CommonJS: without --experimental-vm-modules and extensionsToTreatAsEsm`)
  for (const { line, column, construct } of rewritten.unhandled) console.warn(`vitest-dpor: ${file}:${line}:${column}: ${construct} is not instrumented; what it shares between processes is not seen`)
  const compiled = compile(rewritten.code, file, options)
  if (!compiled.code.includes('__dpor.file(')) {
    throw new Error(`vitest-dpor: the transformer behind it has compiled ${file} from what is on disk, so it is not instrumented. ts-jest does so while it checks types: set isolatedModules: true in tsconfig.json`)
  }
  return besideRuntime(compiled.code, chained(compiled, String(rewritten.map)))
}

type Loaded = Transformer & { readonly createTransformer?: (options: object) => Transformer | Promise<Transformer>; readonly default?: Loaded }

async function load(file: string, options: object): Promise<Transformer & Required<Pick<Transformer, 'process'>>> {
  const module = (await import(pathToFileURL(file).href)) as Loaded
  const found = [module, module.default, module.default?.default].find((one) => one?.createTransformer ?? one?.process)
  const { process, getCacheKey } = found?.createTransformer ? await found.createTransformer(options) : (found ?? {})
  if (!process) throw new TypeError(`vitest-dpor: ${file} has no \`process\`, so that it cannot compile what has been instrumented; name another transformer`)
  return { process, ...(getCacheKey && { getCacheKey }) }
}
