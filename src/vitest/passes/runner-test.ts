import type { TestContext } from 'vitest'

/** What Vitest keeps of a test, as far as it is used here. */
export interface RunnerTest {
  readonly id: string
  readonly type: string
  readonly name: string
  readonly suite?: RunnerSuite | undefined
  readonly file: RunnerSuite & { readonly filepath: string }
  readonly context: TestContext
  readonly timeout: number
  mode: string
  meta: Record<string, unknown>
  readonly annotations: unknown[]
  retry?: unknown
  repeats?: unknown
  fails?: boolean | undefined
  concurrent?: boolean | undefined
  result?: { state: string; errors?: unknown[] | undefined; pending?: boolean; repeatCount?: number; retryCount?: number; attempts?: unknown[] } | undefined
  onFinished?: Handler[] | undefined
  onFailed?: Handler[] | undefined
  /** Assertions that wait, which Vitest waits for at the end of a pass. */
  promises?: unknown[] | undefined
}

/** What Vitest keeps of a suite or of a file, as far as it is used here. */
export interface RunnerSuite {
  readonly id: string
  readonly name: string
  readonly suite?: RunnerSuite | undefined
  readonly file?: RunnerSuite
  /** Of a file. */
  readonly filepath?: string
  readonly tasks: (RunnerSuite | RunnerTest)[]
  mode: string
  concurrent?: boolean | undefined
}

export const isToRun = (task: RunnerSuite | RunnerTest): task is RunnerTest => 'type' in task && task.type === 'test' && (task.mode === 'run' || task.mode === 'queued')

export function testsToRun({ tasks }: RunnerSuite): RunnerTest[] {
  return tasks.flatMap((task) => ('tasks' in task ? testsToRun(task) : isToRun(task) ? [task] : []))
}

export type Handler = (...args: unknown[]) => unknown

/** Puts something beside a test, even once its body is over; tells where Vitest keeps what is attached. */
export type Annotate = (message: string, type: string, attachment?: { readonly path: string; readonly contentType: string }) => Promise<string | undefined>
