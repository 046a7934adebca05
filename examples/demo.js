// Explores the examples through the built package and shows what is found: the five in memory, or, with `io`, those with a database and files.
// Ends with 0 only when exactly the planted bugs were found and every corrected version holds.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { stripVTControlCharacters as plain } from 'node:util'
import pc from 'picocolors'

const set = process.argv[2] ?? ''
const root = path.join(import.meta.dirname, set)

/** What each buggy version must fail with: the story that is told of it, and the error underneath. */
const inMemory = [
  { spec: '01-account/account', title: 'two withdrawals from one account', story: /Lost update on account\.balance/, error: /expected 160 to be less than or equal to 100/ },
  { spec: '02-profile-cache/profile-cache', title: 'a cache that is asked twice', story: /Double initialisation on \S*profiles/, error: /expected \[ 'ada', 'ada' \] to deeply equal \[ 'ada' \]/ },
  { spec: '03-token-refresh/api-client', title: 'two requests with an expired token', story: /Double initialisation on apiClient\./, error: /invalid_grant: refresh-1 was used before/ },
  { spec: '04-shutdown/service', title: 'a shutdown during a flush', story: /Deadlock/, error: /lastOrders#1 waits for flush#1 and flush#1 waits for lastOrders#1/ },
  { spec: '05-debounced-search/search-box', title: 'a slow answer to an old query', story: /Last write wins on searchBox\.results/, error: /expected \[ 'vite', 'vitest', 'vitest-dpor' \] to deeply equal \[ 'vitest', 'vitest-dpor' \]/ },
]
const withIo = [
  { spec: '01-shop/shop', title: 'two customers and the last piece, in PostgreSQL', story: /Lost update on item\[1\][\s\S]*What would mend it: SELECT \.\.\. FOR\s+UPDATE/, error: /expected \[ true, true \] to have a length of 1/, needsServer: true },
  { spec: '02-file-store/file-store', title: 'two settings of one file', story: /on file\[/, error: /to deeply equal \{ theme: 'dark', language: 'de' \}/ },
  { spec: '03-sessions/sessions', title: 'a logout while something is put into the cart, in Redis', story: /on session:1[\s\S]*What would mend it/, error: /expected 'ann' to be undefined/ },
  { spec: '04-message-queue/mailer', title: 'two workers of a message queue, by a driver of its own', story: /Check-then-act on queues\["mails"\]/, error: /expected \[ 'welcome', 'welcome' \] to deeply equal \[ 'invoice', 'welcome' \]/ },
]
const examples = set === 'io' ? withIo : inMemory

/** Runs Vitest once over all examples; returns what it printed and its JSON report. */
async function runVitest() {
  const folder = mkdtempSync(path.join(tmpdir(), 'vitest-dpor-demo-'))
  const file = path.join(folder, 'report.json')
  const binary = path.join(path.dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
  const args = [binary, 'run', '--root', root, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const child = spawn(process.execPath, args, { env: { ...process.env, ...(pc.isColorSupported ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }) } })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (printed += text))
  await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
  try {
    return { printed, report: JSON.parse(readFileSync(file, 'utf8')) }
  } catch {
    throw new Error(`Vitest wrote no report. It printed:\n${printed}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The part of Vitest's output that belongs to one failing spec. */
function sectionOf(printed, spec) {
  const lines = printed.split('\n')
  const start = lines.findIndex((line) => plain(line).trim().startsWith(`FAIL  ${spec}`))
  if (start < 0) return undefined
  const length = lines.slice(start).findIndex((line) => /^⎯.*\[\d+\/\d+\]⎯/.test(plain(line)))
  return length < 0 ? undefined : lines.slice(start, start + length).join('\n').trimEnd()
}

/** The one test of a spec file, or what is wrong with it. */
function testOf(report, file) {
  const results = report.testResults.filter(({ name }) => name.endsWith(`/${file}`))
  const tests = results.flatMap(({ assertionResults }) => assertionResults)
  if (tests.length !== 1) return { problem: [`${file}: ${tests.length} tests instead of 1`, ...results.map(({ message }) => message)].join('\n') }
  const [{ status, failureMessages, meta }] = tests
  return meta?.dpor ? { status, ...meta.dpor, text: failureMessages.join('\n') } : { problem: `${file}: was not explored\n${failureMessages.join('\n')}` }
}

function problemOfBuggy({ story, error }, file, test) {
  if (test.problem) return test.problem
  if (test.verdict !== 'fails' || test.status !== 'failed') return `${file}: ${test.verdict}, although a bug is planted`
  const missing = [story, error].find((expected) => !expected.test(test.text))
  return missing && `${file}: fails, but not as planted: no ${missing} in\n${test.text}`
}

function problemOfFixed(file, test) {
  if (test.problem) return test.problem
  return test.verdict === 'holds' && test.status === 'passed' ? undefined : `${file}: ${test.verdict}, although it is corrected\n${test.text}`
}

const counted = ({ verdict = '?', executions = '?' }) => `${verdict.padEnd(6)} ${`${executions}`.padStart(4)}`

const { printed, report } = await runVitest()
const problems = []
const rows = []
/** Examples that need a server where there is none. */
const isSkipped = ({ spec, needsServer }) => needsServer === true && report.testResults.some(({ name, assertionResults }) => name.endsWith(`/${spec}.spec.ts`) && assertionResults.every(({ status }) => status === 'skipped' || status === 'pending'))
const shown = examples.filter((example) => !isSkipped(example))
for (const { spec } of examples.filter(isSkipped)) console.log(`Skipped, as there is no PostgreSQL, or no package pg: examples/${set}/${spec}`)

for (const [index, example] of shown.entries()) {
  const [buggyFile, fixedFile] = [`${example.spec}.spec.ts`, `${example.spec}.fixed.spec.ts`]
  const buggy = testOf(report, buggyFile)
  const fixed = testOf(report, fixedFile)
  console.log(`\n${pc.bold(`${index + 1} of ${shown.length}: ${example.title}`)} ${pc.dim(path.posix.join('examples', set, buggyFile))}\n`)
  console.log(sectionOf(printed, buggyFile) ?? buggy.text ?? buggy.problem)
  problems.push(...[problemOfBuggy(example, buggyFile, buggy), problemOfFixed(fixedFile, fixed)].filter((problem) => problem !== undefined))
  rows.push(`${example.spec.padEnd(34)} ${counted(buggy)}   ${counted(fixed)}`)
}

const expected = examples.length * 2
if (report.numTotalTests !== expected) problems.push(`${report.numTotalTests} tests ran instead of ${expected}`)

console.log(`\n${pc.bold(`${''.padEnd(34)} buggy, runs   corrected, runs`)}\n${rows.join('\n')}\n`)
if (problems.length === 0) {
  console.log(pc.green(`All ${shown.length} planted bugs were found, and all ${shown.length} corrected versions hold.`))
} else {
  console.error(`${pc.red('Not as expected:')}\n\n${problems.join('\n\n')}`)
  process.exitCode = 1
}
