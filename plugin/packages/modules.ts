import * as nodeModule from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { MessageChannel } from 'node:worker_threads'
import { packagesFile } from '../files.ts'
import type { ProvidedPackages } from './instrument.ts'
import type { LoaderData } from './loader.ts'

/** The text to run in the place of a file's, undefined if it stays as it is. */
export type Instrument = (source: string, file: string) => string | undefined

export interface Loaded {
  readonly format?: string | null | undefined
  readonly source?: string | ArrayBufferView | ArrayBuffer | null | undefined
}

type Load<R> = (url: string, context: unknown, next: (url: string, context: unknown) => R) => R

interface Hooks {
  readonly instrument: Instrument
  readonly provided: ProvidedPackages
  /** Is told the name of each package that stays as it is. */
  readonly tell: (name: string) => void
}

const registerHooks = Reflect.get(nodeModule, 'registerHooks') as undefined | ((hooks: { load: Load<Loaded> }) => void)

/** Whether Node loads modules in a thread of their own once it is asked about them, which takes half of what a test file that explores takes to start. */
export const needsThread = registerHooks === undefined

/** Instruments modules that are imported, ESM. CommonJS is left to `common-js.ts`, however it is reached. */
export function hookModules({ instrument, provided, tell }: Hooks): void {
  if (registerHooks) return registerHooks({ load: (url, context, next) => instrumented(url, next(url, context), instrument) })
  const { port1, port2 } = new MessageChannel()
  port1.on('message', tell)
  port1.unref()
  nodeModule.register<LoaderData>(pathToFileURL(packagesFile('loader')), { data: { provided, port: port2 }, transferList: [port2] })
}

/** What Node is to run in the place of what it has loaded. */
export function instrumented(url: string, loaded: Loaded, instrument: Instrument): Loaded {
  if (!isModule(loaded.format) || !url.startsWith('file:') || !loaded.source) return loaded
  const source = instrument(textOf(loaded.source), fileURLToPath(url.split('?', 1)[0]!))
  return source === undefined ? loaded : { ...loaded, source }
}

/** TypeScript is told apart where Node strips the types itself. */
const isModule = (format: Loaded['format']): boolean => format === 'module' || format === 'module-typescript'

function textOf(source: NonNullable<Loaded['source']>): string {
  return typeof source === 'string' ? source : new TextDecoder().decode(source as Uint8Array)
}
