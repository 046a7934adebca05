/**
 * What Node without `registerHooks` runs in a thread of its own, in which it loads modules. It asks nobody what to do with a file: the
 * thread of the tests may be waiting for this one, as when it registers other loaders.
 */
import type { MessagePort } from 'node:worker_threads'
import { Instrumenter, type ProvidedPackages } from './instrument.ts'
import { loadMakers } from './load-makers.ts'
import { instrumented, type Loaded } from './modules.ts'

export interface LoaderData {
  readonly provided: ProvidedPackages
  /** Gets the name of each package that stays as it is. */
  readonly port: MessagePort
}

let instrumenter: Instrumenter | undefined

export async function initialize({ provided, port }: LoaderData): Promise<void> {
  port.unref()
  instrumenter = new Instrumenter(provided, await loadMakers(), (name) => port.postMessage(name))
}

export async function load(url: string, context: unknown, next: (url: string, context: unknown) => Promise<Loaded>): Promise<Loaded> {
  return instrumented(url, await next(url, context), (source, file) => instrumenter!.instrument(source, file))
}
