import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Rewritten } from './3-rewrite/rewrite.ts'
import type { Unhandled } from './3-rewrite/rewriting.ts'
import { writeWhole } from './packages/cache.ts'

/** What a file under test has become. */
export interface Kept {
  readonly code: string
  /** Of the source, as JSON. */
  readonly map: string
  readonly unhandled: readonly Unhandled[]
}

/** One entry a file, which says what it was made from: whoever edits a file leaves no trail of others. */
interface Entry {
  readonly from: string
  /** Nothing where there is nothing to change. */
  readonly kept: Kept | null
}

type Rewrite = (source: string, file: string) => Promise<Rewritten | undefined>

/** Files under test on disk, as they have become. Where nothing can be written, everything is made anew. */
export class SourceCache {
  readonly #folder: string
  readonly #version: string

  /** @param version of all that decides what a file becomes, but for the file itself */
  constructor(folder: string, version: string) {
    this.#folder = path.join(folder, 'sources')
    this.#version = version
  }

  /** The file as it was kept, or as it is made now. @param otherwise what else decides that */
  async rewritten(source: string, file: string, rewrite: Rewrite, otherwise = ''): Promise<Kept | undefined> {
    const entryFile = path.join(this.#folder, `${hash(file)}.json`)
    const from = hash(`${this.#version}\0${file}\0${otherwise}\0${source}`)
    const found = read(entryFile)
    if (found?.from === from) return found.kept ?? undefined
    const made = await rewrite(source, file)
    const kept = made === undefined ? null : { code: made.code, map: made.map.toString(), unhandled: made.unhandled }
    writeWhole(entryFile, JSON.stringify({ from, kept } satisfies Entry))
    return kept ?? undefined
  }
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 40)

function read(file: string): Entry | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Entry
  } catch {
    return undefined
  }
}
