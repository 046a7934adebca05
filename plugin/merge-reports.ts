import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parse, stringify } from 'flatted'
import { joinParts, type FoundByPart } from '../src/testing/parts.ts'

/** What Vitest keeps of a file, a suite or a test in what its blob reporter has written, as far as it is used here. */
interface Task {
  readonly id: string
  readonly tasks?: Task[]
  readonly meta: FoundByPart
  result?: { state: string; errors?: unknown[] }
}

/** The second entry of a report. */
const filesEntry = 1

/**
 * Of reports that are to be merged Vitest takes the last one for each test, so that a failure on one machine would be lost where another one
 * has run the same test. Puts what they say of one file together, and returns the folder in which they are then; the same where there is nothing to put together, as no two are of one file, and none is of
 * a machine that has explored a part.
 */
export function mergedReports(folder: string): string {
  const reports = reportsIn(folder)
  const byFile = new Map<string, Task[]>()
  for (const file of reports.flatMap(({ content }) => filesOf(content))) byFile.set(file.id, [...(byFile.get(file.id) ?? []), file])
  const all = [...byFile.values()]
  if (all.every((files) => files.length === 1) && !all.flat().some(isOfPart)) return folder
  const merged = new Map([...byFile].map(([id, files]) => [id, mergedFile(files)]))
  const to = mkdtempSync(path.join(tmpdir(), 'vitest-dpor-reports-'))
  process.once('exit', () => rmSync(to, { recursive: true, force: true }))
  for (const { name, content } of reports) {
    content[filesEntry] = filesOf(content).flatMap(({ id }) => {
      const file = merged.get(id)
      merged.delete(id)
      return file ?? []
    })
    writeFileSync(path.join(to, name), stringify(content))
  }
  return to
}

const isOfPart = ({ tasks = [], meta }: Task): boolean => meta.dpor?.part !== undefined || tasks.some(isOfPart)

/** None where one is no report: Vitest says so. */
function reportsIn(folder: string): readonly { readonly name: string; readonly content: unknown[] }[] {
  try {
    return readdirSync(folder).map((name) => ({ name, content: parse(readFileSync(path.join(folder, name), 'utf8')) as unknown[] }))
  } catch {
    return []
  }
}

const filesOf = (content: readonly unknown[]): Task[] => (Array.isArray(content[filesEntry]) ? (content[filesEntry] as Task[]) : [])

/** A failure goes before all else; what was run, before what was not. */
const order = ['fail', 'pass', 'run', 'skip', 'todo']

function rank({ result }: Task): number {
  const i = order.indexOf(result?.state ?? 'todo')
  return i === -1 ? order.length : i
}

/** Of several reports of one file. Where it could not be collected on one machine, another one has its tests. */
function mergedFile(files: readonly Task[]): Task {
  const base = files.reduce((one, other) => ((other.tasks?.length ?? 0) > (one.tasks?.length ?? 0) ? other : one))
  merge(base, files)
  return base
}

/** All have one id, and `base` is one of them: it becomes what they are together. */
function merge(base: Task, all: readonly Task[]): void {
  for (const task of base.tasks ?? []) merge(task, all.flatMap(({ tasks = [] }) => tasks.find(({ id }) => id === task.id) ?? []))
  const { result } = all.toSorted((one, other) => rank(one) - rank(other))[0]!
  const hasFailed = base.tasks?.some((task) => task.result?.state === 'fail') ?? false
  if (result) base.result = hasFailed ? { ...result, state: 'fail' } : result
  if (!base.tasks) Object.assign(base.meta, joinParts(all.map(({ meta }) => meta)))
}
