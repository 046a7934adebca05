/** Measures code as it is published: what loads TypeScript as it is adds to each function that is made, which would count. */
import { rmSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'

// Beside its source, as it looks for what it measures from there.
const file = path.join(import.meta.dirname, `main.built-${process.pid}.mjs`)
try {
  await build({ entryPoints: [path.join(import.meta.dirname, 'main.ts')], outfile: file, bundle: true, platform: 'node', target: 'node20', format: 'esm', packages: 'external', charset: 'utf8', logLevel: 'warning' })
  await import(file)
} finally {
  rmSync(file, { force: true })
}
