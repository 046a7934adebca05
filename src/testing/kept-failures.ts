import type { DporMeta } from './meta.ts'

const { existsSync, mkdirSync, readFileSync, writeFileSync } = process.getBuiltinModule('node:fs')
const path = process.getBuiltinModule('node:path')

/** Schedules that have failed, by short names of tests: they are run first the next time. */
export type KeptFailures = Readonly<Record<string, string>>

/** What this package keeps on disk, beside what Vite keeps of all its projects. */
export const cacheFolderBeside = (viteCache: string): string => path.resolve(viteCache, '../../vitest-dpor')

const fileIn = (folder: string): string => path.join(folder, 'failures.json')

/** What cannot be read is as good as nothing. */
export function readKeptFailures(folder: string): KeptFailures {
  if (!existsSync(fileIn(folder))) return {}
  try {
    const kept: unknown = JSON.parse(readFileSync(fileIn(folder), 'utf8'))
    return typeof kept === 'object' && kept !== null ? Object.fromEntries(Object.entries(kept).filter(([, schedule]) => typeof schedule === 'string')) : {}
  } catch {
    return {}
  }
}

/** Of tests that were explored: what fails is kept, what holds is forgotten, and of all others stays what there is. */
export function keepFailures(folder: string, explored: readonly { readonly tag: string; readonly meta: DporMeta }[]): void {
  const before = readKeptFailures(folder)
  const kept: Record<string, string> = { ...before }
  for (const { tag, meta: { verdict, schedule } } of explored) {
    if (verdict === 'fails' && schedule !== undefined) kept[tag] = schedule
    if (verdict === 'holds') Reflect.deleteProperty(kept, tag)
  }
  const text = JSON.stringify(kept)
  if (text === JSON.stringify(before)) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(fileIn(folder), text)
}
