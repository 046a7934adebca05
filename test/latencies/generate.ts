import { allKinds, generate as generateProgram } from '../plain-order/generate.ts'
import { generate as generateBody, print } from '../reference/generate.ts'
import { Random } from '../reference/random.ts'

export type Kind = 'state' | 'promises'

/** A random body some of whose awaits stand for I/O: tasks over shared things, or a program of promises that notes its order. */
export function generate(kind: Kind, seed: number): string {
  const random = new Random(seed)
  const replaced = (source: string, pattern: RegExp, percent: number, by: string): string => source.replaceAll(pattern, (found) => (random.percent(percent) ? by : found))
  if (kind === 'state') {
    const source = print(generateBody({ seed }))
    return replaced(replaced(source, /await (?:null|Promise\.resolve\(\)|nothing\(\))/g, 65, 'await io(null)'), /await new Promise\(\(resolve\) => setTimeout\(resolve, 1\)\)/g, 30, 'await io(1)')
  }
  const source = generateProgram(random, allKinds).replace('i < 8', 'i < 2')
  return replaced(replaced(replaced(source, /Promise\.resolve\('p'\)/g, 60, `io('p')`), /'x'/g, 40, `io('x')`), /(?<=await )d\[\d\]\.promise/g, 40, 'io(d[0].promise)')
}
