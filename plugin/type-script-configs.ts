import { readFileSync } from 'node:fs'
import path from 'node:path'

const texts = new Map<string, string | undefined>()

/** The texts of `tsconfig.json` in a folder and above it, and of all that they name by relative paths: they decide how types are taken out. */
export function typeScriptConfigsFor(folder: string): readonly string[] {
  const files = new Set(ancestors(folder).map((above) => path.join(above, 'tsconfig.json')))
  for (const file of files) {
    for (const [, named] of textOf(file)?.matchAll(/"(\.[^"\n]*)"/g) ?? []) {
      const target = path.resolve(path.dirname(file), named!)
      for (const candidate of [target, `${target}.json`, path.join(target, 'tsconfig.json')]) if (candidate.endsWith('.json')) files.add(candidate)
    }
  }
  return [...files].flatMap((file) => textOf(file) ?? [])
}

function ancestors(folder: string): readonly string[] {
  const above = path.dirname(folder)
  return above === folder ? [folder] : [folder, ...ancestors(above)]
}

function textOf(file: string): string | undefined {
  if (!texts.has(file)) texts.set(file, read(file))
  return texts.get(file)
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
