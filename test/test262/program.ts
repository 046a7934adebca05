import { readFileSync } from 'node:fs'
import path from 'node:path'
import { rewrite } from '../../plugin/3-rewrite/rewrite.ts'
import type { SuiteFile } from './suite.ts'

/** A program of the suite as one function, which is called once. */
export type Program = () => Promise<unknown>

export interface ProgramOptions {
  readonly suite: string
  readonly isInstrumented: boolean
}

/**
 * Compiles a file with the helpers that it includes. Both are inside of one async function in strict mode, so that they can be
 * run in one process after others, and explored.
 */
export function compile(file: SuiteFile, { suite, isInstrumented }: ProgramOptions): Program {
  const source = programText(file, suite)
  const code = isInstrumented ? rewritten(source, file.name) : source
  return new Function(`'use strict'; ${code.replace('export default', '')}; return program`)() as Program
}

/** A program is rewritten once for all the ways it runs. */
let last: { readonly source: string; readonly code: string } | undefined

function rewritten(source: string, name: string): string {
  if (last?.source !== source) last = { source, code: rewrite(source, `/${name}`)?.code ?? source }
  return last.code
}

function programText(file: SuiteFile, suite: string): string {
  if (file.negative?.phase === 'parse') return `export default async function program() { (function () {\n${file.source}\n}).call(undefined) }`
  const helpers = ['assert.js', 'sta.js', ...file.includes].map((name) => readFileSync(path.join(suite, 'harness', name), 'utf8'))
  const whole = `(function () {\n${[...helpers, file.source].join('\n')}\n}).call(undefined)`
  if (!file.isAsync) return `export default async function program() { ${whole} }`
  return `export default async function program() {
  const finished = new Promise((resolve, reject) => { globalThis.$DONE = (error) => { if (error) reject(error); else resolve() } });
  ${whole}
  await finished
}`
}
