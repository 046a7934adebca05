import { ProgramError } from './errors.ts'
import { checkOptionNames, searchOptions, type SearchOptions } from './options.ts'
import type { Exploration } from './outcome.ts'
import { Program } from './program/program.ts'
import { ProgramDriver } from './program/program-driver.ts'
import { Search } from './search.ts'

/** Runs a model program once for every class of its executions. */
export function explore(program: Program, options: SearchOptions = {}): Exploration {
  checkOptionNames(options, searchOptions)
  if (!(program instanceof Program)) throw new ProgramError('explore needs what program(...) returns')
  const search = new Search(options)
  const driver = new ProgramDriver(program, search)
  while (search.next()) driver.execute()
  return search.result()
}
