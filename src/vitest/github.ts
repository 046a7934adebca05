import { appendFileSync } from 'node:fs'
import type { TestCase, Vitest } from 'vitest/node'
import type { DporMeta } from '../testing/meta.ts'
import { labelOf, linesOf, totals, type FoundTest } from '../testing/summary.ts'
import { annotationOf, annotationType } from './annotation.ts'

/** On GitHub Actions: a warning at the line for what fails nothing, which Vitest does not tell of, and a part of the summary of the step. */
export function tellGitHub(tests: readonly TestCase[], ordinary: readonly FoundTest[], { config, logger }: Vitest): void {
  for (const test of tests) {
    const warning = warningOf(test)
    if (warning !== undefined) logger.log(`\n${command(warning)}`)
  }
  const file = process.env['GITHUB_STEP_SUMMARY']
  if (file === undefined || ordinary.length === 0) return
  const lines = linesOf(ordinary).map(({ found, text, remark }) => `- **${labelOf(found)}** ${escaped(text)}${remark === '' ? '' : ` (${escaped(remark)})`}`)
  appendFileSync(file, [`## DPOR (${config.root.split(/[\\/]/).at(-1)})`, '', totals(ordinary), '', ...lines, ''].join('\n'))
}

interface Warning {
  readonly file: string
  readonly line: number
  readonly title: string
  readonly text: string
}

function warningOf(test: TestCase): Warning | undefined {
  if (test.result().state !== 'passed') return undefined
  const { dporFound, dpor } = test.meta()
  const text = dporFound ? annotationOf(dporFound) : test.annotations().find(({ type }) => type === annotationType)?.message
  if (text === undefined) return undefined
  const place = dporFound?.race ?? racedOn(dpor) ?? { file: test.module.relativeModuleId, line: test.location?.line ?? 1 }
  return { file: place.file, line: place.line, title: `DPOR: ${test.fullName}`, text: dpor && dporFound ? `${text}, after ${dpor.executions} executions` : text }
}

/** Where what is too large has most of its races: Vitest does not say where a test stands, unless it is asked to. */
function racedOn(dpor: DporMeta | false | undefined): { readonly file: string; readonly line: number } | undefined {
  const [, file, line] = /^(.+):(\d+)$/.exec((dpor && dpor.contended?.[0]?.places[0]) || '') ?? []
  return file === undefined ? undefined : { file, line: Number(line) }
}

/** As GitHub reads it from what is printed. */
function command({ file, line, title, text }: Warning): string {
  const property = (value: string): string => data(value).replaceAll(':', '%3A').replaceAll(',', '%2C')
  return `::warning file=${property(file)},line=${line},title=${property(title)}::${data(text)}`
}

const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

/** Of Markdown. */
const escaped = (text: string): string => text.replaceAll(/[\\`*_<>[\]]/g, String.raw`\$&`)
