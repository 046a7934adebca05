import fs = require('node:fs')
import path = require('node:path')
import workerThreads = require('node:worker_threads')

const handedOn = 'VITEST_DPOR'
const isThere = Symbol.for('vitest-dpor: the plugin is there')
/** Vitest does something else than to run tests. */
const others = new Set(['--help', '-h', '--version', '-v', 'list', 'init', 'bench'])

/**
 * Takes `--dpor` and its like out of a command line, as Vitest refuses to know them, and hands them on to the plugin. What stands behind a
 * `--` it finds by itself.
 */
function takeArguments(argv: string[]): void {
  const separator = argv.indexOf('--')
  const end = separator === -1 ? argv.length : separator
  const taken = argv.slice(2, end).filter((argument) => /^--dpor(?:[.=]|$)/.test(argument))
  if (taken.length === 0) return
  argv.splice(2, end - 2, ...argv.slice(2, end).filter((argument) => !taken.includes(argument)))
  process.env[handedOn] = JSON.stringify([...(JSON.parse(process.env[handedOn] ?? '[]') as string[]), ...taken])
  if (!argv.some((argument) => others.has(argument))) process.once('exit', complainIfNobodyHeard)
}

function complainIfNobodyHeard(): void {
  if (Reflect.get(globalThis, isThere)) return
  const why = process.exitCode ? 'Vitest has ended without the plugin. Where nothing above says why, it is not in the Vitest config' : 'the plugin is not in the Vitest config'
  process.exitCode ||= 1
  console.error(`vitest-dpor: nothing was explored, as ${why}. Add it to vitest.config.ts: import { dpor } from 'vitest-dpor/plugin', then plugins: [dpor()]`)
}

function isVitest(file: string | undefined): boolean {
  try {
    return file !== undefined && fs.realpathSync(file).endsWith(path.join('vitest', 'vitest.mjs'))
  } catch {
    return false
  }
}

if (workerThreads.isMainThread && isVitest(process.argv[1])) takeArguments(process.argv)

export = { takeArguments }
