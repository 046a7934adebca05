import { transformWithOxc } from 'vite'
import { rewrite } from '../../plugin/3-rewrite/rewrite.ts'
import type { Emitted } from '../../src/runtime/calls/emitted.ts'
import { inert } from '../../src/runtime/calls/inert.ts'

export interface Outcome {
  log: unknown[]
  result?: unknown
  error?: string
}

/** Runs the body of a function that is given `log`, and collects what it does: as in an exploration, or with `isOn` false as outside of one. */
export async function execute(code: string, runtime: Emitted = inert, { isOn = true } = {}): Promise<Outcome> {
  const log: unknown[] = []
  // oxlint-disable-next-line no-new-func
  const body = new Function('log', '__dpor', '__dporOn', '__dporNames', `'use strict';${code}`)
  const note = (...values: unknown[]): unknown => {
    log.push(values.length === 1 ? values[0] : values)
    return values[0]
  }
  try {
    return { log, result: await body(note, runtime, isOn, null) }
  } catch (error) {
    return { log, error: error instanceof Error ? `${error.name}: ${error.message}` : `thrown ${String(error)}` }
  }
}

/** The sample rewritten: CommonJS, so that it may return. */
export function rewritten(code: string, file = '/sample.cjs'): string {
  return rewrite(code, file)?.code ?? code
}

export async function stripTypes(code: string): Promise<string> {
  const { code: stripped } = await transformWithOxc(code, 'sample.ts', { lang: 'ts', sourcemap: false })
  return stripped
}
