import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { ofProject, ofReports, withValues } from './arguments.ts'

const asked = /^--dpor\.split=(\d+)$/
const ofWorkers = /^--(?:maxWorkers|max-workers)(?:=|$)/

/** Into how many processes `--dpor.split=4` divides a run; undefined where nobody asks for that. */
export function processesAsked(args: readonly string[]): number | undefined {
  const count = args.flatMap((argument) => asked.exec(argument)?.[1] ?? []).at(-1)
  return count === undefined ? undefined : Number(count)
}

/**
 * `vitest-dpor run --dpor --dpor.split=4`: four processes run all test files, as machines do that have divided the explorations among them. Returns
 * what Vitest is to be called with to put their reports together.
 */
export async function runInProcesses(count: number, args: readonly string[], { node, cli }: { readonly node: string; readonly cli: string }): Promise<string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'vitest-dpor-processes-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const all = withValues(args.filter((argument) => !asked.test(argument) && argument !== 'run'))
  const own = all.filter(([name]) => !ofReports.test(name!)).flat()
  const workers = args.some((argument) => ofWorkers.test(argument)) ? [] : [`--maxWorkers=${Math.max(1, Math.floor(availableParallelism() / count))}`]
  const runs = Array.from({ length: count }, async (_, i) => {
    const report = path.join(folder, `blob-${i + 1}-${count}.json`)
    const output = await outputOf(node, [cli, 'run', '--reporter=blob', `--outputFile.blob=${report}`, `--shard=${i + 1}/${count}`, '--dpor.split', ...workers, ...own])
    if (existsSync(report)) return
    process.exitCode = 1
    console.error(`vitest-dpor: process ${i + 1} of ${count} has reported nothing. It has printed:\n${output}`)
  })
  await Promise.all(runs)
  const said = args.filter((argument) => argument === '--dpor')
  return ['run', `--merge-reports=${folder}`, ...all.filter(([name]) => ofReports.test(name!) || ofProject.test(name!)).flat(), ...said]
}

function outputOf(file: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(file, args, { maxBuffer: Infinity }, (_, stdout, stderr) => resolve(stdout + stderr))
  })
}
