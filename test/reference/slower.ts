import { parseSync } from 'oxc-parser/src-js/index.js'
import { runPlainly } from './plain.ts'

/** Microtasks that an `await` takes longer, or the platform's whole turn. */
const delays = [1, 2, 3, 4, 'turn'] as const

/** Awaits of one run that take longer, at most. */
const mostSlow = 3

/** Runs of one body, at most. */
const mostRuns = 2_000

/**
 * Which of the outcomes Node has where some of the awaits take longer than they have to: what an `await` waits for may take
 * any time. For outcomes that the model does not know, which passes an outcome on within one step.
 */
export async function possibleInNode(source: string, scope: (() => Readonly<Record<string, unknown>>) | undefined, outcomes: readonly string[]): Promise<string[]> {
  const { code, awaits } = slowed(source)
  const left = new Set(outcomes)
  let runs = 0
  for (const slow of assignments(awaits)) {
    if (left.size === 0 || runs++ === mostRuns) break
    const names = () => ({ ...scope?.(), slower: (at: number) => slow.get(at), later })
    left.delete(await runPlainly(code, names))
  }
  return outcomes.filter((outcome) => !left.has(outcome))
}

async function later(delay: (typeof delays)[number], value: unknown): Promise<unknown> {
  if (delay === 'turn') await new Promise((resolve) => setTimeout(resolve, 5))
  // The return is one of them.
  else for (let i = 1; i < delay; i++) await undefined
  return value
}

/** The body with all of its awaits as places that can be slow; where one is not, it takes what it took. */
function slowed(source: string): { code: string; awaits: number } {
  const prefix = '(async function body() {'
  const text = `${prefix}${source}\n})`
  const edits: { at: number; text: string }[] = []
  let awaits = 0
  const search = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(search)
    if (typeof node !== 'object' || node === null) return
    const { type, start, end } = node as { type?: unknown; start: number; end: number }
    if (type === 'AwaitExpression') {
      const at = awaits++
      edits.push({ at: start, text: '(($awaited = ' }, { at: end, text: `), slower(${at}) === undefined ? $awaited : await later(slower(${at}), $awaited))` })
    }
    for (const child of Object.values(node)) search(child)
  }
  search(parseSync('body.js', text).program)
  let code = ''
  let position = 0
  for (const edit of edits.toSorted((a, b) => a.at - b.at)) {
    code += text.slice(position, edit.at) + edit.text
    position = edit.at
  }
  code += text.slice(position)
  return { code: `let $awaited; ${code.slice(prefix.length, -3)}`, awaits }
}

/** Which awaits are slow, few first. */
function* assignments(awaits: number): Iterable<ReadonlyMap<number, (typeof delays)[number]>> {
  let last: ReadonlyMap<number, (typeof delays)[number]>[] = [new Map()]
  yield last[0]!
  for (let count = 1; count <= mostSlow; count++) {
    const next: typeof last = []
    for (const before of last) {
      for (let at = Math.max(-1, ...before.keys()) + 1; at < awaits; at++) {
        for (const delay of delays) next.push(new Map([...before, [at, delay]]))
      }
    }
    yield* next
    last = next
  }
}
