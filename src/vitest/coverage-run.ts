import { spawn } from 'node:child_process'
import { ofReports, withValues } from './arguments.ts'

/** Runs all tests once more, without `--dpor`, for their coverage. What is printed is that alone. @param reporter the file of one that says nothing else */
export async function runForCoverage(reporter: string): Promise<void> {
  const [vitest, ...given] = process.argv.slice(1)
  const { VITEST_DPOR: handedOn = '[]', DPOR: _, ...env } = process.env
  const isForChanged = [...(JSON.parse(handedOn) as string[]), ...given].includes('--dpor=changed')
  const own = [`--reporter=${reporter}`, '--run', ...(isForChanged ? ['--changed', '--passWithNoTests'] : [])]
  const child = spawn(process.execPath, [...process.execArgv, vitest!, ...plainArguments(given, own)], { env, stdio: 'inherit' })
  const code = await new Promise<number>((ended) => child.once('exit', (exitCode) => ended(exitCode ?? 1)))
  if (code !== 0) process.exitCode = code
}

/** Those of a run without `--dpor`, and others that stand in the place of its reporters. */
function plainArguments(args: readonly string[], others: readonly string[]): string[] {
  const plain = args.filter((argument) => !argument.startsWith('--dpor'))
  const separator = plain.indexOf('--')
  const end = separator === -1 ? plain.length : separator
  const kept = withValues(plain.slice(0, end)).filter(([name]) => !ofReports.test(name!))
  return [...kept.flat(), ...others, ...plain.slice(end)]
}
