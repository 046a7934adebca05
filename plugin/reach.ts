import { existsSync, realpathSync } from 'node:fs'
import { asPosix } from './files.ts'
import type { Imports } from './imports.ts'

/**
 * The files outside `node_modules` that tests which explore lead to, by imports, mocks and setup files: none if no test explores. `'everything'` where
 * one of them loads what its text does not say.
 */
export function reachOfExploring({ found, tests, setupFiles, mocks }: Imports): ReadonlySet<string> | 'everything' {
  const explored = exploringTests({ found, tests, setupFiles })
  if (explored.length === 0) return new Set()
  const reached = ledToFrom(found, [...explored, ...setupFiles, ...mocks])
  if ([...reached].some((file) => found.get(file)?.isOpen)) return 'everything'
  return new Set([...reached].flatMap((file) => [file, existsSync(file) ? realpathSync(file) : file]).map(asKey))
}

/** The test files that lead to what explores: all of them if a setup file does. */
export function exploringTests({ found, tests, setupFiles }: Pick<Imports, 'found' | 'tests' | 'setupFiles'>): readonly string[] {
  const exploring = leadingTo(found, [...found].flatMap(([file, { saysSo }]) => (saysSo ? [file] : [])))
  return setupFiles.some((file) => exploring.has(file)) ? tests : tests.filter((file) => exploring.has(file))
}

/** A file as a member of what was reached. */
export const asKey = (file: string): string => asPosix(file).replace(/^[a-z]:/, (drive) => drive.toUpperCase())

function ledToFrom(found: Imports['found'], files: readonly string[]): ReadonlySet<string> {
  const reached = new Set(files)
  for (const file of reached) for (const next of found.get(file)?.next ?? []) reached.add(next)
  return reached
}

/** Files that lead to some of these, and these. */
export function leadingTo(found: Imports['found'], files: readonly string[]): ReadonlySet<string> {
  const importers = new Map<string, string[]>()
  for (const [file, { next }] of found) for (const target of next) importers.set(target, [...(importers.get(target) ?? []), file])
  const reached = new Set(files)
  for (const file of reached) for (const importer of importers.get(file) ?? []) reached.add(importer)
  return reached
}
