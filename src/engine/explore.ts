import { textOfFunction } from './intrinsics.ts'
import { ProgramError } from './errors.ts'
import { checkOptionNames, resolveOptions, searchOptions, type SearchOptions } from './options.ts'
import type { Exploration } from './outcome.ts'
import { Program } from './program/program.ts'
import { ProgramDriver } from './program/program-driver.ts'
import { aboutOptions } from './resume/about.ts'
import { KeptSearch } from './resume/kept-search.ts'
import { Search } from './search.ts'

/** Runs a model program once for every class of its executions. */
export function explore(program: Program, options: SearchOptions = {}): Exploration {
  checkOptionNames(options, searchOptions)
  if (!(program instanceof Program)) throw new ProgramError('explore needs what program(...) returns')
  const search = new Search(options)
  const resolved = resolveOptions(options)
  const kept = new KeptSearch(resolved, { program: textOfFunction(program.build), ...aboutOptions(resolved) })
  kept.resume(search)
  const driver = new ProgramDriver(program, search)
  try {
    while (search.next()) {
      driver.execute()
      kept.executed(search)
    }
  } catch (error) {
    throw kept.refusalOf(error)
  }
  kept.ended(search)
  return search.result()
}
