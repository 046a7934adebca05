import * as nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'
import { MessageChannel } from 'node:worker_threads'

/** The text to run in the place of a file's, undefined if it stays as it is. */
export type Instrument = (source: string, file: string) => string | undefined

interface Loaded {
  readonly format?: string | null | undefined
  readonly source?: string | ArrayBufferView | ArrayBuffer | null | undefined
}

type Load<R> = (url: string, context: unknown, next: (url: string, context: unknown) => R) => R

/** Instruments modules that are imported, ESM. CommonJS is left to `common-js.ts`, however it is reached. */
export function hookModules(instrument: Instrument): void {
  const registerHooks = Reflect.get(nodeModule, 'registerHooks') as undefined | ((hooks: { load: Load<Loaded> }) => void)
  if (registerHooks) registerHooks({ load: (url, context, next) => instrumented(url, next(url, context), instrument) })
  else hookFromOutside(instrument)
}

function instrumented(url: string, loaded: Loaded, instrument: Instrument): Loaded {
  if (loaded.format !== 'module' || !url.startsWith('file:') || !loaded.source) return loaded
  const source = instrument(textOf(loaded.source), fileURLToPath(url.split('?', 1)[0]!))
  return source === undefined ? loaded : { ...loaded, source }
}

function textOf(source: NonNullable<Loaded['source']>): string {
  return typeof source === 'string' ? source : new TextDecoder().decode(source as Uint8Array)
}

/** What Node without `registerHooks` runs in a thread of its own: it asks this one what to do with each file. */
const loader = `
let port
let count = 0
const waiting = new Map()
export function initialize(given) {
  port = given.port
  port.on('message', ([id, source]) => { waiting.get(id)(source); waiting.delete(id); if (waiting.size === 0) port.unref() })
  port.unref()
}
const ask = (url, source) => new Promise((resolve) => {
  waiting.set(++count, resolve)
  port.ref()
  port.postMessage([count, url, source])
})
export async function load(url, context, next) {
  const loaded = await next(url, context)
  if (loaded.format !== 'module' || !url.startsWith('file:') || !loaded.source) return loaded
  const source = await ask(url, typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source))
  return source === undefined ? loaded : { ...loaded, source }
}
`

function hookFromOutside(instrument: Instrument): void {
  const { port1, port2 } = new MessageChannel()
  port1.on('message', ([id, url, source]: [number, string, string]) => {
    const loaded = instrumented(url, { format: 'module', source }, instrument)
    port1.postMessage([id, loaded.source === source ? undefined : loaded.source])
  })
  port1.unref()
  nodeModule.register(`data:text/javascript,${encodeURIComponent(loader)}`, { parentURL: import.meta.url, data: { port: port2 }, transferList: [port2] })
}
