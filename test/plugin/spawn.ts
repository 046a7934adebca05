import { execFile } from 'node:child_process'
import path from 'node:path'

export interface Report {
  testResults: { name: string; assertionResults: { title: string; status: string; failureMessages: string[] }[] }[]
}

export const packageRoot = path.resolve(import.meta.dirname, '../..')

/** Runs the real Vitest on a folder. */
export async function runVitest(folder: string, ...args: string[]): Promise<{ output: string; report: Report | undefined }> {
  const vitest = path.join(packageRoot, 'node_modules/vitest/vitest.mjs')
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')))
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [vitest, 'run', '-r', folder, ...args], { env, cwd: folder, maxBuffer: 1e8 }, (_error, stdout, stderr) => resolve(stdout + stderr))
  })
  const json = /\{"numTotal.*\}/.exec(output)?.[0]
  return { output, report: json ? (JSON.parse(json) as Report) : undefined }
}
