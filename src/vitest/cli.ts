#!/usr/bin/env node
/** `vitest-dpor [any arguments of vitest]`: Vitest, with `--dpor` and its like understood; `vitest-dpor init`: adds the plugin to a project. */
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { help } from './help.ts'
import { processesAsked, runInProcesses } from './processes.ts'
import { takeArguments } from './register.cts'

const vitest = vitestHere()
const [command, ...rest] = process.argv.slice(2)
// `init browser` is Vitest's.
if (command === 'init' && rest.every((argument) => argument.startsWith('-'))) {
  const { init } = await import('./init/init.ts')
  process.exitCode = await init(process.cwd(), rest)
} else if (vitest === undefined) {
  console.error(`vitest-dpor: there is no Vitest in ${process.cwd()}. Install it beside vitest-dpor: npm install --save-dev vitest`)
  process.exitCode = 1
} else {
  if (process.argv.some((argument) => argument === '--help' || argument === '-h')) console.log(help)
  const count = processesAsked(process.argv)
  if (count !== undefined) process.argv.splice(2, Infinity, ...(await runInProcesses(count, process.argv.slice(2), { node: process.execPath, cli: process.argv[1]! })))
  process.argv[1] = vitest
  takeArguments(process.argv)
  await import(pathToFileURL(vitest).href)
}

/** The Vitest that `npx vitest` would run. */
function vitestHere(): string | undefined {
  try {
    const require = createRequire(path.join(process.cwd(), '_'))
    return path.join(path.dirname(require.resolve('vitest/package.json')), 'vitest.mjs')
  } catch {
    return undefined
  }
}
