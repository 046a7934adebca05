import { rewrite } from '../plugin/3-rewrite/rewrite.ts'

/** An async program. */
export interface Subject {
  readonly setup: () => unknown
  readonly tasks: ((state: unknown) => Promise<unknown>)[]
}

/** Programs are source, so that each can run rewritten and as it is. */
export function load(source: string, { isRewritten }: { isRewritten: boolean }): Subject {
  const module = `export default function make() {${source}}`
  const code = isRewritten ? rewrite(module, '/bench.js')!.code : module
  return (new Function(code.replace('export default', 'return '))() as () => Subject)()
}

/** Milliseconds of CPU that it takes, of all threads. */
export async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
