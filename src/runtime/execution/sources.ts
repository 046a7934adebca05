import { JSON, KeptMap, KeptSet, Math } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Place, StrictParts } from './shapes.ts'

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
  /** The name of the package that it is in; undefined for the user's own code. */
  readonly package: string | undefined
  readonly first: SiteId
  /** Where the places of the next one begin. */
  readonly end: SiteId
  /** As text. */
  readonly table: string
  /** Of sloppy code: where it is strict all the same. */
  readonly strictParts: StrictParts
  /** Once somebody has asked for one of them. */
  places?: readonly Place[]
  /** Those that were asked for. */
  readonly told: SourcePlace[]
}

const files: SourceFile[] = []
/** By name, as it was loaded last. */
const latest = new KeptMap<string, SourceFile>()
const loadedAgain = new KeptSet<string>()
let nextSite = 1
/** Some file is sloppy code. */
let hasSloppy = false
/** By number: 1 for a place at which something was accessed in this exploration. */
let passed = new Uint8Array(1024)

/**
 * Registers the table of the places in an instrumented file, as JSON, and how many there are; returns the number of its first place. A file that is loaded again,
 * perhaps by each execution anew, has the places that it had.
 */
export function registerFile(name: string, table: string, count: number, strictParts?: StrictParts): SiteId {
  const known = latest.get(name)
  if (known) loadedAgain.add(name)
  if (known?.table === table) return known.first
  const first = nextSite
  nextSite += Math.max(1, count)
  const file = { name, package: packageOfFile(name), first, end: nextSite, table, strictParts, told: [] }
  hasSloppy ||= strictParts !== undefined
  files.push(file)
  latest.set(name, file)
  if (nextSite > passed.length) {
    const longer = new Uint8Array(nextSite * 2)
    longer.set(passed)
    passed = longer
  }
  return first
}

/** Whether a file has been loaded more than once: its variables have one name, and are others in each of the modules. */
export const isLoadedAgain = (name: string): boolean => loadedAgain.has(name)

const ofText = ' new Function.cjs'

/** What a text is called that becomes a function at this place. */
export function nameOfText(site: SiteId): string {
  const place = placeOf(site)
  return `${place ? `${place.file}:${place.line}` : ''}${ofText}`
}

/** Something is accessed at a place. */
export function pass(site: SiteId): void {
  passed[site] = 1
}

export function forgetPassed(): void {
  passed.fill(0)
}

/** The packages in whose files something was accessed, by name. */
export function passedPackages(): readonly string[] {
  const found = new Set<string>()
  let site = 0
  for (const { package: name, first, end } of files) {
    if (name === undefined) continue
    if (site < first) site = passed.indexOf(1, first)
    if (site === -1) break
    if (site < end) found.add(name)
  }
  return [...found].toSorted()
}

/** The name of the package that the place is in; undefined for the user's own code. */
export function packageOf(site: SiteId): string | undefined {
  return site > 0 ? fileOf(site)?.package : undefined
}

/** Whether the place is in sloppy code, where what cannot be assigned or removed stays as it is without a word. */
export function isSloppy(site: SiteId): boolean {
  const file = hasSloppy && site > 0 ? fileOf(site) : undefined
  return file?.strictParts?.every(([first, end]) => site < file.first + first || site >= file.first + end) === true
}

/** Whether the place is in a package. */
export const isInPackage = (site: SiteId): boolean => packageOf(site) !== undefined

/** `/app/node_modules/@scope/name/index.js` -> `@scope/name` */
function packageOfFile(file: string): string | undefined {
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]
}

const aside: string[] = []

/** A file of the project has been loaded that stays as it is. */
export function registerAside(file: string): void {
  aside.push(file)
}

/** The files of the project that have been loaded in this thread and that stay as they are, though others are instrumented. */
export const filesAside = (): readonly string[] => aside

/** The files of the project that are instrumented and loaded, by name, with the table of their places. */
export function projectFiles(): { readonly name: string; readonly places: string }[] {
  const own = files.filter((file) => file.package === undefined && !file.name.endsWith(ofText))
  return own.map(({ name, table }) => ({ name, places: table })).toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Whether any instrumented file has been loaded in this thread. */
export function hasInstrumentedFiles(): boolean {
  return files.length > 0
}

/** The place a site number stands for; undefined for an unknown one (0, NaN). */
export function placeOf(site: SiteId): SourcePlace | undefined {
  const file = site > 0 ? fileOf(site) : undefined
  if (!file) return undefined
  file.places ??= JSON.parse(file.table) as Place[]
  const index = site - file.first
  const place = file.places[index]
  if (!place) return undefined
  const { 0: line, 1: column, 2: text, 3: name } = place
  return (file.told[index] ??= { file: file.name, line, column, text, ...(name === undefined ? {} : { name }) })
}

function fileOf(site: SiteId): SourceFile | undefined {
  return files[fileIndex(site)]
}

/** A number for the file of a place. */
export function fileIndex(site: SiteId): number {
  let low = 0
  let high = files.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (files[middle]!.first <= site) low = middle
    else high = middle - 1
  }
  return low
}
