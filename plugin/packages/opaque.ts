import type { PluginOptions } from '../../src/options/index.ts'
import { globalName } from '../../src/runtime/calls/emitted.ts'

/** Tools, by the names of packages, or of scopes that stand for all their packages. Nobody asks what becomes of them. */
const tools = new Set([
  // The test runner, and what it is made of: it is at work while nothing is explored, and must not wait for a turn.
  'vitest', '@vitest', 'vite', 'vite-node', 'vitest-dpor', 'chai', 'tinypool', 'tinybench', 'tinyexec', 'tinyspy', 'tinyrainbow', 'tinyglobby', 'pathe', 'std-env', 'obug', 'birpc',
  'flatted', 'expect-type', 'why-is-node-running', 'magic-string', 'es-module-lexer', '@jridgewell', 'picocolors', 'picomatch', 'oxc-parser',
  // Test environments: what they keep is one state, whoever touches it; instrumented, every element would be a thousand locations.
  'jsdom', 'happy-dom', '@happy-dom', 'edge-runtime', '@edge-runtime', 'cssstyle', 'cssom', 'rrweb-cssom', 'nwsapi', 'parse5', 'saxes', 'symbol-tree', 'tough-cookie', 'w3c-xmlserializer',
  'webidl-conversions', 'whatwg-encoding', 'whatwg-mimetype', 'whatwg-url', 'xml-name-validator', 'xmlchars', 'data-urls', 'css-tree', 'css-what', 'entities', 'html-encoding-sniffer', '@asamuzakjp', '@csstools', '@exodus',
  // Compilers, and what reads or writes source.
  'typescript', 'esbuild', '@esbuild', '@swc', '@babel', 'oxc-transform', '@oxc-parser', '@oxc-project', '@oxc-transform', 'rolldown', '@rolldown', 'rollup', '@rollup', 'acorn', 'acorn-walk', 'espree', 'esquery',
  'astring', 'estree-walker', 'source-map', 'source-map-js', 'source-map-support', 'terser', 'lightningcss', 'postcss', 'sass', 'less', 'tsx', 'ts-node', 'ts-morph', 'prettier', 'eslint', '@typescript-eslint',
  // Templates are compiled before anything races.
  '@vue/compiler-core', '@vue/compiler-dom', '@vue/compiler-sfc', '@vue/compiler-ssr',
  // They stand in the place of what the platform has, for the test runner as well.
  'zone.js', 'core-js', 'core-js-pure', 'core-js-bundle', 'es6-promise', 'promise-polyfill', 'native-promise-only', 'regenerator-runtime',
  // What tests are made with: clocks and generators that the runtime knows as they are, and what prints.
  'sinon', '@sinonjs', 'fast-check', 'pure-rand', 'pretty-format', 'jest-diff', 'diff', 'playwright', 'playwright-core', '@playwright', 'puppeteer', 'webdriverio',
])

/** Other packages that stay as they are without being named. The verdict names them where several processes have called them. */
const merged = new Set([
  // The queue of work that React keeps for all its trees: every update changes it, and so conflicts with every other, seen or merged. Seen, two
  // updates take 80 executions of 150 ms, merged 4 of 30.
  'react-dom', 'react-reconciler', 'scheduler',
  // Drivers of databases: what they are asked is a step of its own, and what they do for it is nobody's.
  'pg', 'pg-pool', 'pg-protocol', 'pg-types', 'pg-connection-string', 'pg-cursor', 'pg-native', 'pgpass', 'libpg-query', '@pgsql',
  'ioredis', '@ioredis', 'redis-parser', 'redis-errors', 'standard-as-callback', 'denque', 'cluster-key-slot', 'redis', '@redis', 'ioredis-mock', 'fengari', 'fengari-interop',
  'mysql2', 'sql-escaper', 'named-placeholders', 'lru.min', 'generate-function', '@guanmingchiu',
  // Native code, or WebAssembly, behind a thin wrapper.
  '@electric-sql', 'sql.js', 'node-sqlite3-wasm', 'node-gyp-build', 'bindings', 'sharp', 'better-sqlite3', 'sqlite3', 'canvas', 'fsevents',
])

/** Of those, packages that keep in variables what is still to be done, and counters that decide when: they are put back after each execution. */
const keeping = new Set(['react-dom', 'react-reconciler', 'scheduler'])

/** Files of packages that export what such drivers are asked by. */
const drivers = [
  'pg/lib/client.js', 'pg-pool/index.js',
  'ioredis/built/Redis.js', 'ioredis/built/Pipeline.js', '@redis/client/dist/lib/client/index.js', 'redis/dist/index.js', 'ioredis-mock/lib/index.js',
  'mysql2/lib/base/connection.js', 'mysql2/lib/base/pool.js', 'mysql2/lib/pool_connection.js', 'mysql2/lib/promise/connection.js', 'mysql2/lib/promise/prepared_statement_info.js', 'mysql2/lib/promise/pool_connection.js', 'mysql2/lib/promise/pool.js', 'mysql2/index.js', 'mysql2/promise.js',
  '@electric-sql/pglite/dist/index.cjs',
  'tarn/dist/TimeoutError.js', 'tarn/dist/Pool.js', 'sequelize-pool/lib/TimeoutError.js', 'sequelize-pool/lib/Pool.js',
]

/** Such files that are modules. */
const modules = ['@electric-sql/pglite/dist/index.js']

/** Functions of such files that make what they are asked by: where each stands, its name, and that of what it makes. */
const makers = [
  { file: /\/node_modules\/postgres\/(?:cjs\/)?src\/index\.js$/, name: 'Postgres', made: 'postgres' },
  { file: /\/node_modules\/postgres\/(?:cjs\/)?src\/connection\.js$/, name: 'Connection', made: 'postgres/connection' },
]

/** Variables of such files. */
const variables = [
  { file: /\/node_modules\/postgres\/(?:cjs\/)?src\/types\.js$/, names: '{ stringify, handleValue, inferType, Builder, Identifier, Parameter }', as: 'postgres/types' },
  { file: /\/node_modules\/postgres\/(?:cjs\/)?src\/queue\.js$/, names: '{ Queue }', as: 'postgres/queue' },
]

/** Of a package that is instrumented for the rest: what talks to the server, and what a statement is until it is sent. */
const driverParts = /\/node_modules\/postgres\/(?:cjs\/)?src\/(?!index\.js$)/

/** Prisma's compiler of queries, in the forms in which it comes with a client. */
const queryCompiler = /\/node_modules\/.*\/(query_compiler\w*_bg(?:\.\w+)?\.(m?)js)$/

/** Files of a testing library that find elements, each in one way: `label-text.js` by `queryAllByLabelText`. */
const documentQuery = /\/node_modules\/@testing-library\/dom\/dist\/queries\/([a-z]+(?:-[a-z]+)*)\.js$/

/** Whether a file of a package that is instrumented for the rest stays as it is: the runtime knows what it does. */
export const isKnownPart = (file: string): boolean => driverParts.test(file) || queryCompiler.test(file) || documentQuery.test(file)

const nameOfQuery = (file: string): string => `queryAllBy${file.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())}`

/** What stands before and behind the text of a file that the runtime has to know of. */
export function addedCode(file: string): { readonly before: string; readonly behind: string } | undefined {
  const driver = drivers.find((name) => file.endsWith(`/node_modules/${name}`))
  if (driver !== undefined) return { before: '', behind: `\n;globalThis.${globalName}?.connects('${driver}', module.exports);` }
  const esModule = modules.find((name) => file.endsWith(`/node_modules/${name}`))
  if (esModule !== undefined) return { before: `import * as driverItself from './${esModule.slice(esModule.lastIndexOf('/') + 1)}';`, behind: `\n;globalThis.${globalName}?.connects('${esModule}', driverItself);` }
  const kept = variables.find((one) => one.file.test(file))
  if (kept) return { before: '', behind: `\n;globalThis.${globalName}?.connects('${kept.as}', ${kept.names});` }
  const query = documentQuery.exec(file)?.[1]
  if (query !== undefined) return { before: '', behind: `\n;if (typeof ${nameOfQuery(query)} === 'function') globalThis.${globalName}?.connects('document queries', ${nameOfQuery(query)});` }
  const [, base, module] = queryCompiler.exec(file) ?? []
  if (base !== undefined) {
    const own = module === 'm' ? 'queryCompilerItself' : 'module.exports'
    return { before: module === 'm' ? `import * as ${own} from './${base}';` : '', behind: `\n;globalThis.${globalName}?.connects('prisma/query-compiler', ${own});` }
  }
  const maker = makers.find((one) => one.file.test(file))
  if (!maker) return undefined
  const { name, made } = maker
  return { before: `${name} = ((make) => (...args) => { const made = make(...args); globalThis.${globalName}?.connects('${made}', { make, made, args }); return made })(${name});`, behind: '' }
}

/** Whether the variables of a package that stays as it is are put back. */
export const keepsVariables = (name: string): boolean => keeping.has(name)

/** Part of a scope that is listed above, and code of the user's none the less: helpers of compiled code, which await for it. */
const seen = new Set(['@babel/runtime', '@babel/runtime-corejs3', '@swc/helpers'])

const holds = (names: ReadonlySet<string>, name: string): boolean => names.has(name) || (name.startsWith('@') && names.has(name.slice(0, name.indexOf('/'))))

/** Whether a package is a tool: a verdict says nothing of it. */
export const isTool = (name: string): boolean => !seen.has(name) && holds(tools, name)

/** Whether a package is left as it is by itself. */
const isOpaque = (name: string): boolean => isTool(name) || holds(merged, name)

/** Which packages to instrument, by name. `'auto'` may stand among names, for packages that it would leave as they are. */
export function packageFilter({ inline = 'auto', opaque: left = [] }: Pick<PluginOptions, 'inline' | 'opaque'>): (name: string) => boolean {
  const never: ReadonlySet<string> = new Set(left)
  const named: ReadonlySet<string> = new Set(typeof inline === 'string' ? [inline] : inline)
  const isAuto = named.has('auto')
  return (name) => !never.has(name) && (named.has(name) || (isAuto && !isOpaque(name)))
}
