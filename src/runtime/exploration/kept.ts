import { Object, textOfFunction } from '../../engine/intrinsics.ts'
import { aboutOptions } from '../../engine/resume/about.ts'
import { KeptSearch, type KeptFiles } from '../../engine/resume/kept-search.ts'
import { Search } from '../../engine/search.ts'
import type { ExecutionSearch } from '../execution/execution.ts'
import { projectFiles } from '../execution/sources.ts'
import type { ExplorationOptions } from '../../options/index.ts'
import type { Subject } from './subject.ts'

/** Where the exploration of a body is written down, if it is. */
export class KeptExploration {
  readonly files: KeptFiles
  readonly #kept: KeptSearch

  constructor(subject: Subject, { saveTo, resumeFrom, ...options }: KeptFiles & Omit<ExplorationOptions, keyof KeptFiles>) {
    this.files = { saveTo, resumeFrom }
    this.#kept = new KeptSearch(this.files, { program: hashOf(subject), time: options.time, ...aboutOptions(options) })
  }

  resume(search: ExecutionSearch): void {
    if (search instanceof Search) this.#kept.resume(search)
  }

  executed(search: ExecutionSearch): void {
    if (search instanceof Search) this.#kept.executed(search)
  }

  ended(search: ExecutionSearch): void {
    if (search instanceof Search) this.#kept.ended(search)
  }

  refusalOf(error: unknown): unknown {
    return this.#kept.refusalOf(error)
  }
}

/** Of the body, and of all files of the project that are instrumented and loaded. */
function hashOf(subject: Subject): string {
  const { createHash } = globalThis.process.getBuiltinModule('node:crypto')
  const { existsSync, readFileSync } = globalThis.process.getBuiltinModule('node:fs')
  const hash = createHash('sha256')
  for (const fn of functionsOf(subject)) hash.update(textOfFunction(fn))
  for (const { name, places } of projectFiles()) hash.update(`\0${name}\0${existsSync(name) ? readFileSync(name, 'utf8') : places}`)
  return hash.digest('hex').slice(0, 32)
}

/** What somebody else runs has its text in the files. */
function functionsOf(subject: Subject): (() => unknown)[] {
  if (typeof subject === 'function') return [subject as () => unknown]
  return 'run' in subject ? [] : (Object.values(subject.tasks) as (() => unknown)[])
}
