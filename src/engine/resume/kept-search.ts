import { Array, JSON, Object } from '../intrinsics.ts'
import { now } from '../clock.ts'
import { OptionError } from '../errors.ts'
import { portableResult, type PortableExploration } from '../parts/parallel-messages.ts'
import { ProgramChanged } from './program-changed.ts'
import type { SavedSearch } from './saved.ts'
import type { Search } from '../search.ts'
import { version } from '../version.ts'

/** Milliseconds between two times that a search is written down while it goes on. */
const every = 1000

/** What a search was one of: the program, and the options that decide what is explored. */
export type About = Readonly<Record<string, unknown>>

/** Where the search has come to; or what it has found, if it was one of several and has ended. */
type Come = { readonly search: SavedSearch; readonly result?: undefined } | { readonly search?: undefined; readonly result: PortableExploration }

type File = Come & { readonly about: About }

export interface KeptFiles {
  readonly saveTo?: string | undefined
  readonly resumeFrom?: string | undefined
}

/** Writes down where a search has come to, and has it go on from there. */
export class KeptSearch {
  readonly #files: KeptFiles
  readonly #about: About
  readonly #isOneOfSeveral: boolean
  #last = now()

  /** @param isOneOfSeveral its result is kept as long as the others have not ended */
  constructor({ saveTo, resumeFrom }: KeptFiles, about: About, { isOneOfSeveral = false }: { readonly isOneOfSeveral?: boolean } = {}) {
    this.#files = { saveTo, resumeFrom }
    this.#isOneOfSeveral = isOneOfSeveral
    this.#about = plain({ version, ...about })
  }

  /**
   * What it has found, if it had ended.
   * @throws OptionError where the file is of another program, of other options, or none that `saveTo` writes
   */
  resume(search: Search): PortableExploration | undefined {
    const { resumeFrom } = this.#files
    if (resumeFrom === undefined || !fs().existsSync(resumeFrom)) return undefined
    const { about, search: saved, result } = this.#read(resumeFrom)
    const differing = [...Object.keys(this.#about), ...Object.keys(about)].find((name) => JSON.stringify(about[name]) !== JSON.stringify(this.#about[name]))
    if (differing === 'program') throw this.#refusal('the program has changed since it was written')
    if (differing !== undefined) throw this.#refusal(`it was written with ${differing} ${JSON.stringify(about[differing]) ?? 'left out'}, and not ${JSON.stringify(this.#about[differing]) ?? 'left out'}`)
    // What is kept elsewhere is whole there as well, however soon this search ends.
    this.#write(saved === undefined ? { result } : { search: saved })
    if (saved !== undefined) search.resume(saved)
    return result
  }

  /** Between two executions. */
  executed(search: Search): void {
    if (this.#files.saveTo === undefined || now() - this.#last < every) return
    this.#last = now()
    const saved = search.save()
    if (saved !== undefined) this.#write({ search: saved })
  }

  ended(search: Search): void {
    const { saveTo } = this.#files
    if (saveTo === undefined) return
    const saved = search.save()
    if (saved !== undefined) this.#write({ search: saved })
    else if (search.isOver && this.#isOneOfSeveral) this.#write({ result: portableResult(search.result()) })
    else if (search.isOver) fs().rmSync(saveTo, { force: true })
  }

  /** What is told of an error that the search throws. */
  refusalOf(error: unknown): unknown {
    return error instanceof ProgramChanged ? this.#refusal('the program has changed since it was written') : error
  }

  #refusal(why: string): OptionError {
    return new OptionError('resumeFrom', this.#files.resumeFrom, `${why}. Remove the file to begin from the start`)
  }

  #read(path: string): File {
    try {
      const file = JSON.parse(fs().readFileSync(path, 'utf8')) as File
      if (typeof file.about === 'object' && (file.result !== undefined || Array.isArray(file.search.parents))) return file
    } catch (error) {
      if (!(error instanceof SyntaxError) && !(error instanceof TypeError)) throw error
    }
    throw this.#refusal('it is no file that saveTo has written')
  }

  /** The file is the old one or the new one, whenever somebody looks. */
  #write(come: Come): void {
    const { saveTo } = this.#files
    if (saveTo === undefined) return
    const { mkdirSync, renameSync, writeFileSync } = fs()
    const half = `${saveTo}.${globalThis.process.pid}`
    mkdirSync(folderOf(saveTo), { recursive: true })
    writeFileSync(half, JSON.stringify({ about: this.#about, ...come } satisfies File))
    renameSync(half, saveTo)
  }
}

/** As it is in a file. */
function plain(about: About): About {
  return JSON.parse(JSON.stringify(about)) as About
}

function folderOf(path: string): string {
  return globalThis.process.getBuiltinModule('node:path').dirname(path)
}

function fs() {
  return globalThis.process.getBuiltinModule('node:fs')
}
