/** Writes the code of `dist`, in few files, as every test worker loads it anew. Types are written by TypeScript. */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'

rmSync('dist', { recursive: true, force: true })

/** Modules that are found by their names, and where they are found once they are built. */
const modules = {
  'src/vitest/in-node': 'src/vitest/in-node.ts',
  'src/vitest/anywhere': 'src/vitest/anywhere.ts',
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

/** The modules that are not part of the script, by their files: names of what it is given in their place. */
const sharedModules = new Map(
  [...readFileSync('src/vitest/shared-modules.ts', 'utf8').matchAll(/export \* as (\w+) from '(.+)'/g)].map(([, name, file]) => [path.resolve('src/vitest', file), name]),
)

/** @type {import('esbuild').Plugin} */
const givenSharedModules = {
  name: 'shared modules are given',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\./ }, ({ path: file, resolveDir }) => (sharedModules.has(path.resolve(resolveDir, file)) ? { path: path.resolve(resolveDir, file), namespace: 'shared' } : undefined))
    onLoad({ filter: /.*/, namespace: 'shared' }, async ({ path: file }) => {
      const { metafile } = await build({ entryPoints: [file], bundle: true, packages: 'external', write: false, metafile: true, format: 'esm', outdir: 'dist' })
      const names = Object.values(metafile.outputs)[0].exports
      return { contents: `const shared = sharedModules.${sharedModules.get(file)}\n${names.map((name) => `export const ${name} = shared.${name}`).join('\n')}` }
    })
  },
}

/** What a test worker loads which explores is one script, for V8 to compile once: a function that is given what it needs. */
async function buildScript() {
  const { outputFiles, metafile } = await build({
    ...shared,
    entryPoints: ['src/vitest/whole.ts'],
    bundle: true,
    write: false,
    metafile: true,
    format: 'cjs',
    packages: 'external',
    ignoreAnnotations: true,
    // One byte a character is read faster.
    charset: 'ascii',
    define: { 'import.meta.url': 'ownUrl' },
    plugins: [givenSharedModules],
  })
  const text = `(function (module, require, sharedModules, ownUrl) {${outputFiles[0].text}\n})`
  if (/\bimport\s*\(/.test(text)) throw new Error('the script that explores imports while it runs, for which Node has no loader there: leave it to execution/import-file.ts')
  if (Buffer.byteLength(text) !== text.length) throw new Error('the script that explores has other characters than those of ASCII, and is read as if it had none: write those of a regular expression as \\u2026')
  const name = `whole-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.cjs`
  mkdirSync('dist/chunks', { recursive: true })
  writeFileSync(`dist/chunks/${name}`, text)
  return { name, inputs: Object.keys(metafile.inputs) }
}

const script = await buildScript()

// What two of them need is one file, and so there is one of it.
await build({
  ...shared,
  define: { wholeScript: JSON.stringify(script.name) },
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

// What test runs keep on disk holds as long as this is the same, wherever and whenever it was installed.
const content = createHash('sha256')
for (const file of readdirSync('dist', { recursive: true, encoding: 'utf8' }).filter((name) => /\.c?js$/.test(name)).toSorted()) content.update(`${file.replaceAll('\\', '/')}\0`).update(readFileSync(path.join('dist', file)))
writeFileSync('dist/content', content.digest('hex'))
