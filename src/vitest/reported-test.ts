import type { TestCase } from 'vitest/node'
import type { FoundTest } from '../testing/summary.ts'
import { executionsOf } from '../testing/verdict-lines.ts'

/** A test of a run with `--dpor`. */
export interface ReportedTest extends FoundTest {
  readonly id: string
}

/** By what it is known in all runs. */
export const nameOf = ({ module, fullName }: TestCase): string => `${module.relativeModuleId} > ${fullName}`

/** Of several projects that may have tests of one name, as Vitest shows them. */
export const shownName = (test: TestCase): string => (test.project.vitest.projects.length > 1 && test.project.name !== '' ? `|${test.project.name}| ${nameOf(test)}` : nameOf(test))

/** What was found out about a test that was run: also where nobody has looked for anything, as its project does not have the plugin. */
export function foundOf(test: TestCase, { isAsked }: { readonly isAsked: boolean }): ReportedTest[] {
  const { dporFound = isAsked ? withoutPlugin(test) : undefined, dpor } = test.meta()
  const { state } = test.result()
  if (!dporFound || state === 'skipped' || state === 'pending') return []
  const finding = state === 'failed' && ['unexplored', 'held', 'alone'].includes(dporFound.found) ? ({ found: 'fails' } as const) : dporFound
  return [{ id: test.id, name: shownName(test), finding, counts: dpor ? executionsOf(dpor.executions) : undefined }]
}

function withoutPlugin({ project }: TestCase): { readonly found: 'unexplored'; readonly reason: string } | undefined {
  if (project.vite.config.plugins.some(({ name }) => name === 'vitest-dpor')) return undefined
  return { found: 'unexplored', reason: `the project ${project.name} does not have the plugin: add dpor() to the plugins of its config, or \`extends: true\` where the root config has it` }
}
