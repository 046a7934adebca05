import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'oxc-parser/src-js/index.js'
import { describe, expect, test } from 'vitest'
import { methodsAtWork } from '../src/runtime/accesses/own-tools.ts'

const root = path.resolve(import.meta.dirname, '..')

/** One import, type or not, static or not. */
interface Arrow {
  readonly from: string
  /** Path from the root of the repository, or the name of a package. */
  readonly to: string
  readonly isTypeOnly: boolean
  readonly isDynamic: boolean
  /** What is taken; undefined where it is everything. */
  readonly names: readonly string[] | undefined
}

interface Wall {
  readonly folder: string
  readonly allows: (arrow: Arrow) => boolean
}

const inside = (folder: string) => (arrow: Arrow): boolean => arrow.to.startsWith(folder)
const isPackage = ({ to }: Arrow): boolean => !/^(?:src|plugin|test|bench|examples)\//.test(to)
const anyOf = (...rules: ((arrow: Arrow) => boolean)[]) => (arrow: Arrow): boolean => rules.some((allows) => allows(arrow))

/** The arrows of the house: what each folder may import. */
const walls: readonly Wall[] = [
  {
    // Pure: no package and nothing of Node either, but for what starts worker threads when it is called, and their entry.
    folder: 'src/engine/',
    allows: anyOf(
      inside('src/engine/'),
      ({ from, to, isTypeOnly, isDynamic }) => from === 'src/engine/parts/parallel.ts' && ['node:worker_threads', 'node:os'].includes(to) && (isTypeOnly || isDynamic),
      ({ from, to }) => from === 'src/engine/parts/parallel-worker.ts' && to === 'node:worker_threads',
    ),
  },
  { folder: 'src/options/', allows: anyOf(inside('src/options/'), inside('src/engine/')) },
  {
    folder: 'src/runtime/',
    allows: anyOf(inside('src/runtime/'), inside('src/engine/'), ({ to }) => to === 'src/options/index.ts', ({ to }) => to.startsWith('node:')),
  },
  {
    folder: 'src/report/',
    allows: anyOf(inside('src/report/'), isPackage, ({ to, isTypeOnly }) => isTypeOnly && to.startsWith('src/engine/')),
  },
  { folder: 'src/page/', allows: anyOf(inside('src/page/'), ({ to, isTypeOnly }) => isTypeOnly && to === 'src/report/index.ts') },
  {
    // Of no test framework.
    folder: 'src/testing/',
    allows: anyOf(inside('src/testing/'), inside('src/report/'), ({ to }) => to === 'src/engine/reason.ts', ({ to }) => to === 'src/page/index.ts', ({ to }) => to === 'src/options/index.ts', ({ to }) => to === 'src/runtime/index.ts', ({ to, isTypeOnly }) => to === 'picocolors' || (isTypeOnly && (to === 'node:module' || to === 'src/engine/index.ts'))),
  },
  { folder: 'src/vitest/', allows: anyOf(inside('src/'), isPackage) },
  // Where no Vite transforms, it hooks into Node itself, as is done for packages.
  { folder: 'src/node-test/', allows: anyOf(inside('src/'), isPackage, ({ from }) => from === 'src/node-test/register.ts') },
  // What Vite does elsewhere, its transformer does for Jest.
  { folder: 'src/jest/', allows: anyOf(inside('src/'), isPackage, ({ from }) => from === 'src/jest/transform.ts') },
  {
    // Emitted code calls the runtime by name; the inert runtime serves global setup files, in the main process; the options
    // of all layers are checked by one table; what is known of explored tests is read and put together.
    folder: 'plugin/',
    allows: anyOf(inside('plugin/'), isPackage, inside('src/runtime/calls/emitted.ts'), ({ from, to }) => from === 'plugin/index.ts' && to === 'src/runtime/calls/inert.ts', ({ to }) => to === 'src/options/index.ts', inside('src/testing/')),
  },
]

function violations(arrows: readonly Arrow[]): string[] {
  return arrows.flatMap((arrow) => {
    const wall = walls.find(({ folder }) => arrow.from.startsWith(folder))
    return wall && !wall.allows(arrow) ? [`${arrow.from} imports ${arrow.isTypeOnly ? 'types of ' : ''}${arrow.to}`] : []
  })
}

function arrowsOf(file: string, text: string): Arrow[] {
  const { module, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`)
  const arrow = (specifier: string, isTypeOnly: boolean, names?: string[], isDynamic = false): Arrow => ({
    from: file,
    to: specifier.startsWith('.') ? path.posix.join(path.posix.dirname(file), specifier) : specifier,
    isTypeOnly,
    isDynamic,
    names,
  })
  return [
    ...module.staticImports.map(({ moduleRequest, entries }) =>
      arrow(moduleRequest.value, entries.length > 0 && entries.every(({ isType }) => isType), entries.map(({ importName }) => importName.name ?? importName.kind)),
    ),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType, importName }) => (moduleRequest ? [arrow(moduleRequest.value, isType, [importName.name ?? importName.kind])] : [])),
    ),
    ...module.dynamicImports
      .map(({ moduleRequest }) => text.slice(moduleRequest.start, moduleRequest.end))
      // Anything but a literal is a module of the user's.
      .filter((request) => /^['"`]/.test(request))
      .map((request) => arrow(request.replaceAll(/^['"`]|['"`]$/g, ''), false, undefined, true)),
    // `import('./a.ts').B` in a type
    ...[...text.matchAll(/typeof import\('([^']+)'\)|[:<|&]\s*import\('([^']+)'\)/g)].map(([, value, type]) => arrow((value ?? type)!, true)),
  ]
}

function sourceFiles(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => path.posix.join(folder, name.replaceAll('\\', '/')))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
}

const arrows = ['src', 'plugin'].flatMap(sourceFiles).flatMap((file) => arrowsOf(file, readFileSync(path.join(root, file), 'utf8')))

test('every import goes in an allowed direction', () => {
  expect(violations(arrows)).toEqual([])
})

test('every folder of the house is read', () => {
  const folders = walls.map(({ folder }) => folder).filter((folder) => !arrows.some(({ from }) => from.startsWith(folder)))
  expect(folders).toEqual([])
  expect(sourceFiles('src').filter((file) => !/^src\/(?:engine|options|page|runtime|report|testing|vitest|node-test|jest)\/|^src\/index\.ts$/.test(file))).toEqual([])
})

/** The rooms of the runtime, from the ground up: what stands above knows what stands below. */
const rooms = ['execution', 'events', 'promises', 'accesses', 'drivers', 'globals', 'calls', 'exploration']

const floorOf = (file: string): number => (file.startsWith('src/runtime/') ? rooms.indexOf(file.split('/')[2]!) : -1)

function climbing(all: readonly Arrow[]): string[] {
  return all.filter(({ from, to }) => floorOf(from) >= 0 && floorOf(to) > floorOf(from)).map(({ from, to }) => `${from} -> ${to}`)
}

test('the map of the report has one place for each of its files', () => {
  const folder = path.join(root, 'src/report')
  const named = [...readFileSync(path.join(folder, 'README.md'), 'utf8').matchAll(/`([\w-]+\.ts)`/g)].map(([, name]) => name)
  expect(named.toSorted()).toEqual(readdirSync(folder).filter((name) => name.endsWith('.ts')).toSorted())
})

test('no arrow of the runtime goes up', () => {
  expect(climbing(arrows)).toEqual([])
  expect(sourceFiles('src/runtime').filter((file) => floorOf(file) < 0 && file !== 'src/runtime/index.ts')).toEqual([])
})

/** Files that import values from each other, directly or around a circle. */
function circles(all: readonly Arrow[]): string[] {
  const next = new Map<string, string[]>()
  for (const { from, to, isTypeOnly, isDynamic } of all) {
    if (!isTypeOnly && !isDynamic) next.set(from, [...(next.get(from) ?? []), to])
  }
  const reach = (start: string): Set<string> => {
    const reached = new Set<string>()
    const waiting = [...(next.get(start) ?? [])]
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      if (reached.has(file)) continue
      reached.add(file)
      waiting.push(...(next.get(file) ?? []))
    }
    return reached
  }
  return [...next.keys()].filter((file) => reach(file).has(file))
}

test('no values are imported around a circle', () => {
  expect(circles(arrows)).toEqual([])
})

test('a planted circle and a planted arrow upwards are seen', () => {
  const planted = [
    ...arrowsOf('src/runtime/execution/a.ts', "import { b } from '../promises/b.ts'"),
    ...arrowsOf('src/runtime/promises/b.ts', "import { c } from './c.ts'"),
    ...arrowsOf('src/runtime/promises/c.ts', "import { a } from '../execution/a.ts'"),
    ...arrowsOf('src/runtime/promises/d.ts', "import type { e } from '../promises/e.ts'"),
    ...arrowsOf('src/runtime/promises/e.ts', "import { d } from '../promises/d.ts'"),
  ]
  expect(climbing(planted)).toEqual(['src/runtime/execution/a.ts -> src/runtime/promises/b.ts'])
  expect(circles(planted)).toEqual(['src/runtime/execution/a.ts', 'src/runtime/promises/b.ts', 'src/runtime/promises/c.ts'])
})

/** What a file imports, and what that imports. */
function reachedFrom(start: string): string[] {
  const reached = [start]
  for (const file of reached) reached.push(...arrows.filter(({ from, to, isTypeOnly }) => from === file && !isTypeOnly && !reached.includes(to)).map(({ to }) => to))
  return [...new Set(reached)]
}

test('what ordinary test files load is there once', () => {
  const shared = new Set(arrows.filter(({ from }) => from === 'src/vitest/shared-modules.ts').map(({ to }) => to))
  expect(reachedFrom('src/runtime/calls/inert.ts').filter((file) => !shared.has(file))).toEqual([])
})

test('the parser is loaded by its file: by its name a project with the condition "browser" would get another one', () => {
  expect(arrows.filter(({ to }) => to === 'oxc-parser')).toEqual([])
  expect(arrows.some(({ to }) => to === 'oxc-parser/src-js/index.js')).toBe(true)
})

test('nothing imports the entry of worker threads', () => {
  expect(arrows.filter(({ to }) => to === 'src/engine/parts/parallel-worker.ts')).toEqual([])
})

test('the plugin takes nothing of the runtime but the names and the types of what emitted code calls and asks', () => {
  const taken = arrows.filter(({ from, to }) => from.startsWith('plugin/') && to === 'src/runtime/calls/emitted.ts')
  expect(taken.filter(({ isTypeOnly, names }) => !isTypeOnly && !names?.every((name) => ['allAtOnce', 'allHeld', 'globalName', 'namingName', 'knowsTexts'].includes(name)))).toEqual([])
})

describe('planted violations are seen', () => {
  test.each([
    ['src/engine/a.ts', "import { run } from '../runtime/run.ts'", 'src/engine/a.ts imports src/runtime/run.ts'],
    ['src/engine/a.ts', "import type { Run } from '../runtime/run.ts'", 'src/engine/a.ts imports types of src/runtime/run.ts'],
    ['src/engine/a.ts', "import { run, type Run } from '../runtime/run.ts'", 'src/engine/a.ts imports src/runtime/run.ts'],
    ['src/engine/a.ts', "import { readFile } from 'node:fs'", 'src/engine/a.ts imports node:fs'],
    ['src/engine/a.ts', "await import('node:os')", 'src/engine/a.ts imports node:os'],
    ['src/engine/parts/parallel.ts', "import { cpus } from 'node:os'", 'src/engine/parts/parallel.ts imports node:os'],
    ['src/engine/parts/parallel.ts', "await import('node:fs')", 'src/engine/parts/parallel.ts imports node:fs'],
    ['src/engine/a.ts', "export * from '../vitest/a.ts'", 'src/engine/a.ts imports src/vitest/a.ts'],
    ['src/engine/a.ts', "const a = await import('../report/a.ts')", 'src/engine/a.ts imports src/report/a.ts'],
    ['src/engine/a.ts', "let a: import('../report/a.ts').A", 'src/engine/a.ts imports types of src/report/a.ts'],
    ['src/engine/a.ts', "import '../../plugin/index.ts'", 'src/engine/a.ts imports plugin/index.ts'],
    ['src/engine/options.ts', "import { optionTable } from '../options/table.ts'", 'src/engine/options.ts imports src/options/table.ts'],
    ['src/options/a.ts', "import type { RunOptions } from '../runtime/index.ts'", 'src/options/a.ts imports types of src/runtime/index.ts'],
    ['src/options/a.ts', "import type { TestOptions } from 'vitest'", 'src/options/a.ts imports types of vitest'],
    ['src/runtime/a.ts', "import { optionTable } from '../options/table.ts'", 'src/runtime/a.ts imports src/options/table.ts'],
    ['plugin/a.ts', "import { searchOptions } from '../src/engine/options.ts'", 'plugin/a.ts imports src/engine/options.ts'],
    ['src/runtime/a.ts', "import { a } from '../report/a.ts'", 'src/runtime/a.ts imports src/report/a.ts'],
    ['src/runtime/a.ts', "import { vi } from 'vitest'", 'src/runtime/a.ts imports vitest'],
    ['src/report/a.ts', "import { Search } from '../engine/index.ts'", 'src/report/a.ts imports src/engine/index.ts'],
    ['src/report/a.ts', "import type { Recorder } from '../runtime/recording.ts'", 'src/report/a.ts imports types of src/runtime/recording.ts'],
    ['src/report/a.ts', "import { a } from '../vitest/a.ts'", 'src/report/a.ts imports src/vitest/a.ts'],
    ['src/testing/a.ts', "import { test } from 'vitest'", 'src/testing/a.ts imports vitest'],
    ['src/vitest/a.ts', "import { dpor } from '../../plugin/index.ts'", 'src/vitest/a.ts imports plugin/index.ts'],
    ['plugin/a.ts', "import { run } from '../src/runtime/run.ts'", 'plugin/a.ts imports src/runtime/run.ts'],
    ['plugin/3-rewrite/a.ts', "import { inert } from '../../src/runtime/calls/inert.ts'", 'plugin/3-rewrite/a.ts imports src/runtime/calls/inert.ts'],
  ])('%s: %s', (file, text, expected) => {
    expect(violations(arrowsOf(file, text))).toEqual([expected])
  })

  test.each([
    ['src/engine/parts/parallel.ts', "import type { Worker } from 'node:worker_threads'; await import('node:os')"],
    ['src/runtime/a.ts', "import { Search } from '../engine/index.ts'; import { types } from 'node:util'"],
    ['src/options/a.ts', "import { searchOptions } from '../engine/options.ts'"],
    ['src/runtime/exploration/a.ts', "import { withDefaults } from '../../options/index.ts'"],
    ['plugin/a.ts', "import { problemsOf } from '../src/options/index.ts'"],
    ['src/report/a.ts', "import type { Failure } from '../engine/index.ts'; import pc from 'picocolors'"],
    ['src/vitest/a.ts', "import { explain } from '../report/index.ts'; import { test } from 'vitest'"],
    ['plugin/index.ts', "import { installInert } from '../src/runtime/calls/inert.ts'; import { globalName } from '../src/runtime/calls/emitted.ts'"],
  ])('allowed: %s: %s', (file, text) => {
    expect(violations(arrowsOf(file, text))).toEqual([])
  })
})

/** The sources of what runs while a body does, without comments. */
function sourcesAtWork(): { file: string; source: string }[] {
  return ['src/engine', 'src/runtime'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('intrinsics.ts'))
      .map((file) => ({ file: path.join(folder, file), source: withoutComments(readFileSync(path.join(root, folder, file), 'utf8')) })),
  )
}

const withoutComments = (source: string): string => source.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')

describe('a body may replace what the platform has', () => {
  test.each(['Array', 'JSON', 'Math', 'Number', 'Object', 'Reflect'])('functions of %s are called as they were before any body ran', (name) => {
    const used = new RegExp(`(?<![\\w.$'"\`])${name}\\.[a-z]`)
    const imported = new RegExp(`^import \\{.*\\b${name}\\b.*\\} from '.*/intrinsics\\.ts'`, 'm')
    expect(sourcesAtWork().filter(({ source }) => used.test(source) && !imported.test(source)).map(({ file }) => file)).toEqual([])
  })

  test('methods that are called are in the list of those that must stay', () => {
    const types = [Array, Map, Set, WeakMap, WeakSet, Function, String, RegExp, Int32Array]
    const names = new Set(types.flatMap(({ prototype }) => Object.getOwnPropertyNames(prototype)))
    const called = sourcesAtWork().flatMap(({ source }) => [...source.matchAll(/\.(\w+)(?:<[^()]*>)?\(/g)].map((match) => match[1]!))
    // Texts of what is not of these types; what is no method.
    const others = new Set(['toString', 'constructor', 'length'])
    expect([...new Set(called)].filter((name) => names.has(name) && !others.has(name) && !methodsAtWork.has(name))).toEqual([])
  })
})
