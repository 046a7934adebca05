import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { transformWithOxc } from 'vite'
import { rewrite } from '../plugin/3-rewrite/rewrite.ts'
import { cpuOf } from './subject.ts'

const chunks = path.resolve(import.meta.dirname, '../node_modules/vite/dist/node/chunks')
/** The first is that of a worker that has not instrumented anything yet. */
const rounds = 4

/** What instrumenting a large file costs, with its source map, beside what Vite's own compiler takes for it: CPU, and what is kept. */
export async function benchTransform(): Promise<void> {
  const [file] = readdirSync(chunks).map((name) => path.join(chunks, name)).toSorted((a, b) => statSync(b).size - statSync(a).size)
  const source = readFileSync(file!, 'utf8')
  const rows: Record<string, Record<string, number>> = {}
  let written = 0
  for (let i = 1; i <= rounds; i++) {
    const ours = await cpuOf(async () => {
      const { code, map } = rewrite(source, file!)!
      written = code.length + map.toString().length
    })
    const theirs = await cpuOf(() => transformWithOxc(source, file!, { sourcemap: true }))
    globalThis.gc?.()
    rows[`round ${i}`] = { 'CPU ms': Math.round(ours), 'Oxc ms': Math.round(theirs), ratio: Math.round((ours / theirs) * 10) / 10, 'heap MB': Math.round(process.memoryUsage().heapUsed / 2 ** 20) }
  }
  console.log(`\ninstrumenting ${(source.length / 1e6).toFixed(1)} MB, ${(written / source.length).toFixed(1)} times as much with the source map`)
  console.table(rows)
}
