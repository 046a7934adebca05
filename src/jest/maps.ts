import remapping, { type EncodedSourceMap } from '@jridgewell/remapping'

/** A source map, as an object or as JSON. */
export type MapData = EncodedSourceMap | string

/** From what the next transformer has made to the file as it was written. Some write their map into the code alone. @param written that of what it was given, as JSON */
export function chained({ code, map }: { readonly code: string; readonly map?: MapData | null | undefined }, written: string): EncodedSourceMap | undefined {
  const compiled = map ?? inlineMap(code)
  if (!compiled) return undefined
  const source = JSON.parse(written) as EncodedSourceMap
  return remapping(compiled, (_, { depth }) => (depth === 1 ? source : null)) as EncodedSourceMap
}

function inlineMap(code: string): string | undefined {
  const link = [...code.matchAll(/^\/\/# sourceMappingURL=data:application\/json[^,]*;base64,(\S+)$/gm)].at(-1)?.[1]
  return link === undefined ? undefined : Buffer.from(link, 'base64').toString()
}
