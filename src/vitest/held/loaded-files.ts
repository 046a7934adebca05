import { withoutComments } from '../../testing/held/comments.ts'
import { isModuleOfNode, leadsOutside, reachesOutside } from '../../testing/held/outside.ts'

/** What Vitest keeps of a module that it has evaluated, as far as it is used here. */
interface EvaluatedModule {
  readonly id: string
  readonly file: string
}

/** The files of the project that this worker has loaded; undefined where one of them may find something else the next time, though no file has changed. */
export function loadedFiles(): readonly string[] | undefined {
  const files = new Set<string>()
  for (const { id, file } of evaluated()) {
    if (id.startsWith('mock:') || file.includes('/node_modules/')) continue
    if (isModuleOfNode(file)) {
      if (leadsOutside(file)) return undefined
    } else if (files.has(file)) {
      continue
    } else {
      const text = textOf(file)
      if (text === undefined || (reachesOutside(text) && reachesOutside(withoutComments(text)))) return undefined
      files.add(file)
    }
  }
  return [...files]
}

function evaluated(): readonly EvaluatedModule[] {
  const worker = (globalThis as { readonly __vitest_worker__?: { readonly evaluatedModules?: { readonly idToModuleMap: ReadonlyMap<string, EvaluatedModule> } } }).__vitest_worker__
  return [...(worker?.evaluatedModules?.idToModuleMap.values() ?? [])]
}

/** Undefined of what a plugin has made, which is in no file. */
function textOf(file: string): string | undefined {
  try {
    return process.getBuiltinModule('node:fs').readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
