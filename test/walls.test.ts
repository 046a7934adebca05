import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'oxc-parser'
import { describe, expect, test } from 'vitest'

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
  { folder: 'src/runtime/', allows: anyOf(inside('src/runtime/'), inside('src/engine/'), ({ to }) => to.startsWith('node:')) },
  {
    folder: 'src/report/',
    allows: anyOf(inside('src/report/'), isPackage, ({ to, isTypeOnly }) => isTypeOnly && to.startsWith('src/engine/')),
  },
  { folder: 'src/vitest/', allows: anyOf(inside('src/'), isPackage) },
  {
    // Emitted code calls the runtime by name; the inert runtime serves global setup files, in the main process.
    folder: 'plugin/',
    allows: anyOf(inside('plugin/'), isPackage, inside('src/runtime/emitted.ts'), ({ from, to }) => from === 'plugin/index.ts' && to === 'src/runtime/inert.ts'),
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
  expect(sourceFiles('src').filter((file) => !/^src\/(?:engine|runtime|report|vitest)\/|^src\/index\.ts$/.test(file))).toEqual([])
})

test('nothing imports the entry of worker threads', () => {
  expect(arrows.filter(({ to }) => to === 'src/engine/parts/parallel-worker.ts')).toEqual([])
})

test('the plugin takes nothing of the runtime but the name and the types of what emitted code calls', () => {
  const taken = arrows.filter(({ from, to }) => from.startsWith('plugin/') && to === 'src/runtime/emitted.ts')
  expect(taken.filter(({ isTypeOnly, names }) => !isTypeOnly && names?.join() !== 'globalName')).toEqual([])
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
    ['src/runtime/a.ts', "import { a } from '../report/a.ts'", 'src/runtime/a.ts imports src/report/a.ts'],
    ['src/runtime/a.ts', "import { vi } from 'vitest'", 'src/runtime/a.ts imports vitest'],
    ['src/report/a.ts', "import { Search } from '../engine/index.ts'", 'src/report/a.ts imports src/engine/index.ts'],
    ['src/report/a.ts', "import type { Recorder } from '../runtime/recording.ts'", 'src/report/a.ts imports types of src/runtime/recording.ts'],
    ['src/report/a.ts', "import { a } from '../vitest/a.ts'", 'src/report/a.ts imports src/vitest/a.ts'],
    ['src/vitest/a.ts', "import { dpor } from '../../plugin/index.ts'", 'src/vitest/a.ts imports plugin/index.ts'],
    ['plugin/a.ts', "import { run } from '../src/runtime/run.ts'", 'plugin/a.ts imports src/runtime/run.ts'],
    ['plugin/3-rewrite/a.ts', "import { inert } from '../../src/runtime/inert.ts'", 'plugin/3-rewrite/a.ts imports src/runtime/inert.ts'],
  ])('%s: %s', (file, text, expected) => {
    expect(violations(arrowsOf(file, text))).toEqual([expected])
  })

  test.each([
    ['src/engine/parts/parallel.ts', "import type { Worker } from 'node:worker_threads'; await import('node:os')"],
    ['src/runtime/a.ts', "import { Search } from '../engine/index.ts'; import { types } from 'node:util'"],
    ['src/report/a.ts', "import type { Failure } from '../engine/index.ts'; import pc from 'picocolors'"],
    ['src/vitest/a.ts', "import { explain } from '../report/index.ts'; import { test } from 'vitest'"],
    ['plugin/index.ts', "import { inert } from '../src/runtime/inert.ts'; import { globalName } from '../src/runtime/emitted.ts'"],
  ])('allowed: %s: %s', (file, text) => {
    expect(violations(arrowsOf(file, text))).toEqual([])
  })
})
