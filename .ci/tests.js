// Runs the README's test command. What fails is told once more at the end, where whoever reads a log looks first, and
// its files run again, one at a time: a machine that is busy with other things may make a test from outside wait too
// long. What fails again fails.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'vitest-dpor-ci-'))
const results = join(folder, 'results.json')

/** The exit code of the test command, and the files in which something failed, each with what did. */
function run(...options) {
  rmSync(results, { force: true })
  const { status } = spawnSync('npm', ['test', '--', '--reporter=default', '--reporter=json', `--outputFile.json=${results}`, ...options], { stdio: 'inherit' })
  return { status: status ?? 1, failures: status === 0 ? new Map() : failures() }
}

function failures() {
  const failed = new Map()
  // A run that broke off has written none.
  if (!existsSync(results)) return failed
  for (const file of JSON.parse(readFileSync(results, 'utf8')).testResults) {
    const tests = file.assertionResults.filter(test => test.status === 'failed')
    if (file.status === 'failed' || tests.length > 0)
      failed.set(relative(process.cwd(), file.name), tests.length > 0 ? tests.map(test => `${test.fullName}\n    ${test.failureMessages.join('\n').slice(0, 2000)}`) : [file.message])
  }
  return failed
}

function tell(title, failed) {
  console.log(`\n${title}`)
  for (const [file, tests] of failed) for (const test of tests) console.log(`- ${file} > ${test}`)
  if (failed.size === 0) console.log('- no test: the run itself, see its errors above')
}

try {
  const first = run()
  if (first.status !== 0) {
    tell('Failed, and run again alone:', first.failures)
    const again = run('--no-file-parallelism', ...first.failures.keys())
    if (again.status !== 0) tell('Failed again:', again.failures)
    process.exitCode = again.status
  }
} finally {
  rmSync(folder, { recursive: true })
}
