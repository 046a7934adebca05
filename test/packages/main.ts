import { existsSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { buildSync } from 'esbuild'
import { validity } from '../../src/engine/validity.ts'
import { compare } from '../latencies/compare.ts'
import { Tally } from '../latencies/tally.ts'
import { scope } from '../reference/scope.ts'
import { generate, uses } from './programs.ts'

/**
 * `npm run oracle:packages -- --path some/project --programs 100 --seed 1`: the outcomes of random bodies that use published packages, a step being an event, against what latencies can do on Node.
 * The packages are taken from the project; those that are not installed there are passed over.
 */
const { values } = parseArgs({
  options: {
    path: { type: 'string' },
    programs: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    package: { type: 'string', default: Object.keys(uses).join() },
    time: { type: 'string', default: 'idle' },
    /** Orders above which a body is passed over. */
    limit: { type: 'string', default: '200' },
    /** Seconds for each package. */
    seconds: { type: 'string', default: '60' },
    /** How many wrong bodies to print. */
    show: { type: 'string', default: '2' },
  },
})
if (!values.path || !existsSync(path.join(values.path, 'node_modules'))) throw new Error('--path must name a project in which packages are installed')

// It takes most of the time, and says nothing about which outcomes are found.
validity.checked = false

const resolveDir = path.resolve(values.path)
const [first, programs, limit, show] = [values.seed, values.programs, values.limit, values.show].map(Number) as [number, number, number, number]

/** A package with all that it imports, as an expression; undefined where it is not installed. */
function bundled(name: string): string | undefined {
  try {
    const [built] = buildSync({
      stdin: { contents: `export * from '${name}'; export * as all from '${name}'`, resolveDir },
      bundle: true, write: false, format: 'iife', globalName: 'bundle', platform: 'browser', target: 'es2022', minifyWhitespace: true, minifySyntax: true, logLevel: 'silent',
      define: { 'process.env.NODE_ENV': '"production"' },
    }).outputFiles
    return `(() => { ${built!.text}; return bundle.all })()`
  } catch {
    return undefined
  }
}

for (const name of values.package.split(',')) {
  const code = bundled(name)
  if (code === undefined) {
    console.log(`${name}: is not installed`)
    continue
  }
  const tally = new Tally()
  const until = Date.now() + Number(values.seconds) * 1000
  for (let seed = first; seed < first + programs && Date.now() < until; seed++) {
    const source = generate(name, code, seed)
    // Most of it is the package.
    tally.add(await compare(source, { scope, limit, time: values.time as 'idle' | 'race' }), { seed, shown: source.split('\n').at(-2)! })
  }
  tally.print(name, show)
}
