import { Random } from './random.ts'

/** A program whose tasks settle the parts of races, and where it waits. */
export interface Races {
  /** For the project. */
  readonly source: string
  /** The same, where each wait takes as many microtasks more as it is told. */
  readonly delayed: string
  readonly waits: number
}

/** Writes a program that returns who is first. No code of it runs but that of its tasks. `nested`: races may be parts of races. */
export function generateTasks(seed: number, { nested = false }: { readonly nested?: boolean } = {}): Races {
  const random = new Random(seed)
  const names = ['a', 'b', 'c'].slice(0, 2 + random.below(2))
  const part = (name: string, depth: number): string => {
    const ways = [
      () => name,
      () => `${name}.then()`,
      () => `(async () => ${name})()`,
      () => `Promise.resolve(${name}).catch()`,
      () => `new Promise((resolve) => resolve(${name}))`,
    ]
    const inner = (): string => part(name, depth + 1)
    if (depth < 2) ways.push(() => `Promise.all([${inner()}]).then()`, () => `${inner()}.then()`)
    if (depth < 2 && nested) ways.push(() => `Promise.race([${inner()}, never])`, () => `Promise.any([${inner()}])`)
    return random.one(ways)()
  }
  const values = (name: string): string[] => [`'${name}'`, `'${name}'`, `Promise.resolve('${name}')`, `(async () => '${name}')()`, `new Promise((resolve) => resolve('${name}')).then()`]
  const tasks = [[], []] as string[][]
  for (const name of names) random.one(tasks).push(`settle.${name}(${random.one(values(name))})`)
  let waits = 0
  const task = (statements: readonly string[]): string =>
    statements.flatMap((statement, i) => (i > 0 || random.percent(40) ? Array.from({ length: 1 + random.below(2) }, () => `WAIT${waits++}`).concat(statement) : [statement])).join('; ')
  const written = tasks.filter((statements) => statements.length > 0).map((statements) => `;(async () => { ${task(statements)} })()`)
  const parts = names.map((name) => part(name, 0))
  const [first, second, third] = parts as [string, string, string | undefined]
  const whole = third && nested && random.percent(50) ? `Promise.race([Promise.${random.one(['race', 'any'])}([${first}, ${second}]), ${third}])` : `Promise.${random.one(['race', 'any'])}([${parts.join(', ')}])`
  const text = `const settle = {}, never = new Promise(() => {})
const [${names.join(', ')}] = [${names.map((name) => `'${name}'`).join(', ')}].map((name) => new Promise((resolve) => { settle[name] = resolve }))
const whole = ${whole}
${written.join('\n')}
return await whole`
  return { source: text.replaceAll(/WAIT\d+/g, 'await null'), delayed: text.replaceAll(/WAIT(\d+)/g, 'await null; for (let i = 0; i < delays[$1]; i++) await null'), waits }
}

/** How the program ends for all delays up to the most, each of which a platform could have. */
export async function outcomesOf({ delayed, waits }: Races, most: number): Promise<string[]> {
  const run = new Function('delays', `'use strict'; return (async () => {${delayed}})()`) as (delays: readonly number[]) => Promise<unknown>
  const outcomes = new Set<string>()
  const delays = Array.from({ length: waits }, () => 0)
  const runAll = async (at: number): Promise<void> => {
    if (at === waits) {
      outcomes.add(JSON.stringify(await run(delays)))
      return
    }
    for (let delay = 0; delay <= most; delay++) {
      delays[at] = delay
      await runAll(at + 1)
    }
  }
  await runAll(0)
  return [...outcomes].toSorted()
}
