import type { SourceMap as NodeSourceMap, SourceMapPayload } from 'node:module'
import type { Place } from '../report/index.ts'

interface Mapped {
  readonly map: NodeSourceMap
  /** What the paths in the map are relative to. */
  readonly folder: string
}

const fs = globalThis.process?.getBuiltinModule?.('node:fs')
const url = globalThis.process?.getBuiltinModule?.('node:url')
const path = globalThis.process?.getBuiltinModule?.('node:path')
const SourceMap = globalThis.process?.getBuiltinModule?.('node:module')?.SourceMap

/** By file. Undefined: it has no source map that can be read. */
const known = new Map<string, Mapped | undefined>()

/**
 * Where in the source of a package a place of its code stands, by the package's own source map, and what that calls the variable there, if it has another name. What Vite loads is instrumented as
 * it was written, and has no other places.
 */
export function originalPlace({ file, line, column, text }: Place): (Place & { readonly name?: string }) | undefined {
  if (!file.replaceAll('\\', '/').includes('/node_modules/')) return undefined
  if (!known.has(file)) known.set(file, mapOf(file))
  const mapped = known.get(file)
  const entry = mapped?.map.findEntry(line - 1, column - 1)
  if (!mapped || !entry || !('originalSource' in entry) || !entry.originalSource) return undefined
  // Of what stands before the place the name is another one.
  const name = entry.generatedLine === line - 1 && entry.generatedColumn === column - 1 ? (entry as { readonly name?: string }).name : undefined
  return { file: fileOf(entry.originalSource, mapped.folder), line: entry.originalLine + 1, column: entry.originalColumn + 1, text, ...(name && { name }) }
}

/** The place that can be opened: many packages have source maps, and not the sources. */
export function toOpen<P extends Place & { readonly loaded?: Place }>(place: P | undefined): Place | undefined {
  return place?.loaded && !fs?.existsSync(place.file) ? place.loaded : place
}

function fileOf(source: string, folder: string): string {
  if (source.startsWith('file://')) return url!.fileURLToPath(source)
  // Bundlers have URLs of their own: webpack://name/./src/index.ts
  return path!.resolve(folder, source.replace(/^[a-z-]+:\/\/+(?:[^/]*\/)?/, ''))
}

function mapOf(file: string): Mapped | undefined {
  try {
    const link = [...fs!.readFileSync(file, 'utf8').matchAll(/^\/\/[#@] sourceMappingURL=(\S+)\s*$/gm)].at(-1)?.[1]
    if (link === undefined) return undefined
    const inline = /^data:[^,]*?(;base64)?,(.*)$/.exec(link)
    const mapFile = path!.resolve(path!.dirname(file), inline ? '' : decodeURIComponent(link))
    const text = inline ? (inline[1] ? atob(inline[2]!) : decodeURIComponent(inline[2]!)) : fs!.readFileSync(mapFile, 'utf8')
    const payload = JSON.parse(text) as SourceMapPayload
    return { map: new SourceMap!(payload), folder: path!.resolve(inline ? mapFile : path!.dirname(mapFile), payload.sourceRoot ?? '') }
  } catch {
    return undefined
  }
}
