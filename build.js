/** Writes the code of `dist`, in few files, as every test worker loads it anew. Types are written by TypeScript. */
import { rmSync } from 'node:fs'
import { build } from 'esbuild'

rmSync('dist', { recursive: true, force: true })

/** Modules that are found by their names, and where they are found once they are built. */
const modules = {
  'src/index': 'src/index.ts',
  'src/engine/index': 'src/engine/index.ts',
  // Beside what starts it.
  'chunks/parallel-worker': 'src/engine/parts/parallel-worker.ts',
  'src/node-test/index': 'src/node-test/index.ts',
  'src/node-test/register': 'src/node-test/register.ts',
  'src/jest/transform': 'src/jest/transform.ts',
  'src/vitest/setup': 'src/vitest/setup.ts',
  'src/vitest/before-setup': 'src/vitest/before-setup.ts',
  'src/vitest/reporter': 'src/vitest/reporter.ts',
  'src/vitest/coverage-reporter': 'src/vitest/coverage-reporter.ts',
  'src/vitest/report': 'src/vitest/report.ts',
  'src/vitest/cli': 'src/vitest/cli.ts',
  'plugin/index': 'plugin/index.ts',
  'plugin/packages/makers': 'plugin/packages/makers.ts',
  'plugin/packages/setup': 'plugin/packages/setup.ts',
  'plugin/packages/loader': 'plugin/packages/loader.ts',
  'plugin/packages/vm': 'plugin/packages/vm.ts',
}

/** @type {import('esbuild').BuildOptions} */
const shared = { outdir: 'dist', platform: 'node', target: 'node20', charset: 'utf8', logLevel: 'warning' }

// What two of them need is one file, and so there is one of it.
await build({
  ...shared,
  entryPoints: Object.entries(modules).map(([name, file]) => ({ in: file, out: name })),
  bundle: true,
  splitting: true,
  format: 'esm',
  chunkNames: 'chunks/[name]-[hash]',
  packages: 'external',
  ignoreAnnotations: true,
  plugins: [{ name: 'CommonJS stays beside', setup: ({ onResolve }) => onResolve({ filter: /\/register\.cts$/ }, () => ({ path: './register.cjs', external: true })) }],
})
await build({ ...shared, entryPoints: ['src/vitest/register.cts'], outbase: '.', outExtension: { '.js': '.cjs' }, format: 'cjs' })

// Jest runs files in CommonJS, and gives each test file a realm of its own, in which the runtime is loaded as one file.
await build({
  ...shared,
  entryPoints: ['index', 'setup', 'ordinary', 'config'].map((name) => `src/jest/${name}.ts`),
  outbase: '.',
  outExtension: { '.js': '.cjs' },
  bundle: true,
  format: 'cjs',
  packages: 'external',
  ignoreAnnotations: true,
  supported: { 'dynamic-import': false },
  define: { 'import.meta.url': 'ownUrl' },
  banner: { js: "const ownUrl = require('node:url').pathToFileURL(__filename).href" },
})
