import type { PluginOptions } from '../../src/options/index.ts'
import { asPosix, fileFilter, packageOf } from '../files.ts'
import { Cache } from './cache.ts'
import { withoutHistory } from './debug-history.ts'
import { addedCode, isKnownPart, isTool, keepsVariables } from './opaque.ts'
import { poolCode } from './random-pools.ts'
import type { FunctionState, InstrumentText, Texts } from '../../src/runtime/calls/emitted.ts'
import type { Rewritten } from '../3-rewrite/rewrite.ts'

/** What the main process tells workers of the packages to instrument. */
export interface ProvidedPackages {
  readonly inline: 'auto' | readonly string[]
  readonly opaque: readonly string[]
  readonly include: readonly ProvidedExpression[] | undefined
  readonly exclude: readonly ProvidedExpression[]
  /** Where what files have become is kept. */
  readonly folder: string
  /** Of the plugin. */
  readonly version: string
  /** Names of what the platform has put on the global object. */
  readonly platform: readonly string[]
  /** Whether every test file counts as one that explores: files without isolation share what they have loaded. */
  readonly everywhere: boolean
  /** Whether each test file has a context of its own, in which Vitest runs packages itself. */
  readonly hasContexts: boolean
  /** Test files that lead to what explores by ways that their texts do not tell: by aliases, links of a workspace, a setup file. */
  readonly exploring: readonly string[]
  /** Test files that lead to no package, as far as their texts tell, where a thread would be started for what is imported from some. */
  readonly withoutPackages: readonly string[]
}

/** A regular expression for another thread. */
export interface ProvidedExpression {
  readonly source: string
  readonly flags: string
}

/** What makes files of packages into what Node runs in their place; undefined where there is nothing to change. */
export interface Makers {
  rewrite(source: string, file: string, how: { readonly platform: ReadonlySet<string> }): Rewritten | undefined
  /** Of a package that stays as it is, but for what tells of its variables. */
  keepVariables(source: string, file: string): string | undefined
  stateOf(text: string): FunctionState
  /** The text of a function as it was before it was rewritten; undefined where that cannot be said. */
  restored(text: string): string | undefined
}

/** Texts of functions that one worker keeps: a program may make any number of them. */
const mostTexts = 200

/** Gives Node what it is to run in the place of a file. */
export class Instrumenter {
  readonly #fileOf: (file: string) => string | undefined
  readonly #cache: Cache
  readonly #makers: Makers
  readonly #platform: ReadonlySet<string>
  readonly #tell: (name: string) => void
  readonly #failed = new Map<string, string>()
  readonly #told = new Set<string>()
  #textsKept = 0

  /** @param tell is told the name of each package that stays as it is */
  constructor(provided: ProvidedPackages, makers: Makers, tell: (name: string) => void) {
    this.#tell = tell
    this.#fileOf = fileFilter(optionsOf(provided))
    this.#cache = new Cache(provided.folder, provided.version)
    this.#makers = makers
    this.#platform = new Set(provided.platform)
  }

  /** The instrumented text of a file that Node is about to run, undefined if it stays as it is. */
  instrument(source: string, file: string): string | undefined {
    const code = this.#instrument(source, asPosix(file))
    if (source.includes('.connects(')) return code
    const pool = poolCode(asPosix(file))
    const added = pool === undefined ? addedCode(asPosix(file)) : { before: '', behind: pool }
    return added ? `${added.before}${code ?? source}${added.behind}` : code
  }

  #instrument(source: string, file: string): string | undefined {
    if (isKnownPart(file)) return undefined
    const name = this.#fileOf(file)
    if (name === undefined) return this.#left(source, file)
    // What has come through here before is not done twice.
    if (source.includes('__dpor.file(')) return undefined
    return this.#made(withoutHistory(source, file), name, this.#rewritten)
  }

  /** The same of a script that becomes a function while the program runs, which many do only once: it is not kept on disk. */
  readonly #instrumentText: InstrumentText = (script, name) => {
    try {
      return this.#rewritten(script, name)
    } catch {
      return undefined
    }
  }

  /** What the runtime asks of texts of functions. */
  readonly texts: Texts = {
    instrument: this.#instrumentText,
    stateOf: (text) => this.#asked('state', text, (given) => this.#makers.stateOf(given)) as FunctionState,
    written: (text) => this.#asked('written', text, (given) => this.#makers.restored(given)),
  }

  /** Kept on disk as well: most are functions of files, and who answers takes time to load. */
  #asked(question: string, text: string, answer: (text: string) => string | undefined): string | undefined {
    const key = this.#cache.key(question, text)
    const kept = this.#cache.read(key)
    if (kept) return kept.code
    const code = answer(text)
    if (this.#textsKept++ < mostTexts) this.#cache.write(key, { code })
    return code
  }

  /** What stays as it is, but for what tells of its variables. */
  #left(source: string, file: string): string | undefined {
    this.#tellLeft(file)
    const name = packageOf(file)
    if (name === undefined || !keepsVariables(name) || source.includes('__dpor.keeps(')) return undefined
    return this.#made(source, file, this.#makers.keepVariables)
  }

  #made(source: string, file: string, make: (source: string, file: string) => string | undefined): string | undefined {
    const key = this.#cache.key(file, source)
    return (this.#cache.read(key) ?? this.#make(source, file, { key, make })).code
  }

  readonly #rewritten = (source: string, file: string): string | undefined => this.#makers.rewrite(source, file, { platform: this.#platform })?.code

  /** The verdict names packages that stay as they are and that several processes have called. */
  #tellLeft(file: string): void {
    const name = packageOf(file)
    if (name === undefined || isTool(name) || this.#told.has(name)) return
    this.#told.add(name)
    this.#tell(name)
  }

  #make(source: string, name: string, { key, make }: { readonly key: string; readonly make: (source: string, file: string) => string | undefined }): { code: string | undefined } {
    try {
      const entry = { code: make(source, name) }
      this.#cache.write(key, entry)
      return entry
    } catch (error) {
      this.#leave(name, error)
      return { code: undefined }
    }
  }

  #leave(file: string, error: unknown): void {
    const name = packageOf(file) ?? file
    if (this.#failed.has(name)) return
    this.#failed.set(name, file)
    this.#tellLeft(file)
    console.warn(`vitest-dpor: ${file} cannot be instrumented and stays as it is, so what it shares is merged, not seen (${String(error)}). To leave out its package without this note: dpor({ opaque: ['${name}'] })`)
  }
}

function optionsOf({ inline, opaque, include, exclude }: ProvidedPackages): PluginOptions {
  return { inline, opaque, exclude: asRegExps(exclude), ...(include && { include: asRegExps(include) }) }
}

const asRegExps = (all: readonly ProvidedExpression[]): RegExp[] => all.map(({ source, flags }) => new RegExp(source, flags))
