import { runEngine, type Choice } from './adapter.ts'
import type { Ast, AstThread, Part, Step } from './ast.ts'
import { enumerateClasses, formOf } from './enumerate.ts'
import { show } from './show.ts'

export interface Comparison {
  readonly classes: number
  readonly executions: number
  readonly blocked: number
  /** Classes that the engine never explored. */
  readonly lost: number
  /** Executions whose class the engine had explored before. */
  readonly repeated: number
}

/** What the engine explores against what there is; `undefined` for a program that is too large to enumerate, or that the engine gives no verdict of. */
export interface Comparing extends Choice {
  /** States above which a program is too large. */
  readonly cap: number
}

export function compare(ast: Ast, options: Comparing): Comparison | undefined {
  const classes = enumerateClasses(ast, { cap: options.cap, merge: true })
  if (classes === undefined) return undefined
  const { schedules, executions, blocked, isRefused } = runEngine(ast, options)
  if (isRefused) return undefined
  if (schedules.length !== executions) throw new Error('an execution of the engine is not listed')
  const explored = new Set<string>()
  for (const schedule of schedules) {
    const form = formOf(ast, schedule)
    if (!classes.has(form)) throw new Error(`the engine explored what cannot happen: ${schedule.join('.')} in\n${show(ast)}`)
    explored.add(form)
  }
  return {
    classes: classes.size,
    executions,
    blocked,
    lost: classes.size - explored.size,
    repeated: executions - explored.size,
  }
}

/** A smaller program that is still wrong, by leaving out one thing after another. */
export function shrink(ast: Ast, isWrong: (ast: Ast) => boolean): Ast {
  let smallest = ast
  for (;;) {
    const smaller = smallerPrograms(smallest).find((candidate) => {
      try {
        return isWrong(candidate)
      } catch {
        return false
      }
    })
    if (smaller === undefined) return smallest
    smallest = smaller
  }
}

function smallerPrograms(ast: Ast): Ast[] {
  return ast.threads.flatMap((thread, i) =>
    smallerThreads(thread).map((smaller) => ({ ...ast, threads: ast.threads.with(i, smaller) })),
  )
}

function smallerThreads(thread: AstThread): AstThread[] {
  return thread.steps.flatMap((step, i) => [
    { ...thread, steps: thread.steps.toSpliced(i, 1) },
    ...smallerSteps(step).map((smaller) => ({ ...thread, steps: thread.steps.with(i, smaller) })),
  ])
}

function smallerSteps({ when, action }: Step): Step[] {
  const smaller: Step[] = when === undefined ? [] : [{ action }]
  if (action.type !== 'atomic') return smaller
  const kept = when === undefined ? {} : { when }
  if (action.after !== undefined) smaller.push({ ...kept, action: { type: 'atomic', body: action.body } })
  return [...smaller, ...smallerBodies(action.body).map((body) => ({ ...kept, action: { ...action, body } }))]
}

function smallerBodies(body: readonly Part[]): Part[][] {
  return body.flatMap((part, i) => {
    const without = [body.toSpliced(i, 1)]
    if (part.type !== 'if') return without
    return [...without, ...smallerBodies(part.body).map((inner) => body.with(i, { ...part, body: inner }))]
  })
}
