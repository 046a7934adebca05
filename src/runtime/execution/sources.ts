import type { SiteId } from '../../engine/ids.ts'
import type { Place } from './shapes.ts'

/** One place in an instrumented file. */
export interface SourcePlace {
  readonly file: string
  readonly line: number
  readonly column: number
  /** The expression as written there. */
  readonly text: string
  /** Of an expression that makes an object: the variable or property that it is made for. */
  readonly name?: string
}

interface SourceFile {
  readonly name: string
  readonly first: SiteId
  readonly places: readonly Place[]
}

const files: SourceFile[] = []
let nextSite = 1

/** Registers the place table of an instrumented file; returns the number of its first place. */
export function registerFile(name: string, places: readonly Place[]): SiteId {
  const first = nextSite
  nextSite += Math.max(1, places.length)
  files.push({ name, first, places })
  return first
}

/** Whether any instrumented file has been loaded in this thread. */
export function hasInstrumentedFiles(): boolean {
  return files.length > 0
}

/** The place a site number stands for; undefined for an unknown one (0, NaN). */
export function placeOf(site: SiteId): SourcePlace | undefined {
  if (!(site > 0)) return undefined
  let low = 0
  let high = files.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (files[middle]!.first <= site) low = middle
    else high = middle - 1
  }
  const file = files[low]
  const place = file?.places[site - file.first]
  if (!file || !place) return undefined
  const { 0: line, 1: column, 2: text, 3: name } = place
  return { file: file.name, line, column, text, ...(name === undefined ? {} : { name }) }
}
