import { OptionError } from '../../src/engine/index.ts'
import { Random } from '../oracle/random.ts'
import { runEngine, type Choice, type Explored } from './adapter.ts'
import type { Ast, Part, Step } from './ast.ts'
import { generate, type Kind } from './generate.ts'
import { enumerateOutcomes, outcomeOfSchedule } from './machine.ts'

export interface Comparison {
  readonly outcomes: number
  readonly executions: number
  readonly blocked: number
  readonly passes: number
  /** Outcomes that the engine did not show. */
  readonly lost: number
  /** Outcomes that no interleaving has. */
  readonly invented: number
  /** Members of an explored class, of those tried, that show something else than the execution that stands for it. */
  readonly differing: number
}

export interface Comparing extends Choice {
  /** States above which a program is too large. */
  readonly cap: number
  /** Members that are tried of each explored class. */
  readonly members?: number
}

/** What the engine shows of the program against what there is; `undefined` for a program that is too large to enumerate. */
export function compare(ast: Ast, options: Comparing): Comparison | undefined {
  const all = enumerateOutcomes(ast, options.cap)
  if (all === undefined) return undefined
  const { members = 0 } = options
  let differing = 0
  const random = new Random(7)
  const visit = (explored: Explored): void => {
    for (let i = 0; i < members; i++) {
      if (outcomeOfSchedule(ast, randomMember(explored, random)) !== explored.outcome) differing++
    }
  }
  // Only executions of the last pass stand for classes; those before are counted anew.
  let inLastPass: Explored[] = []
  const { outcomes, executions, blocked, passes } = runEngine(ast, options, members === 0 ? undefined : (explored) => inLastPass.push(explored))
  inLastPass = inLastPass.slice(-executions)
  inLastPass.forEach(visit)
  const lost = [...all].filter((outcome) => !outcomes.has(outcome)).length
  const invented = [...outcomes].filter((outcome) => !all.has(outcome)).length
  return { outcomes: all.size, executions, blocked, passes, lost, invented, differing }
}

/** Some other order of the steps of an execution that keeps what happens before what. */
function randomMember({ schedule, before }: Explored, random: Random): number[] {
  const left = schedule.map((_, step) => step)
  const member: number[] = []
  while (left.length > 0) {
    const first = left.filter((step) => left.every((other) => !before(other, step)))
    const step = random.pick(first)
    left.splice(left.indexOf(step), 1)
    member.push(schedule[step]!)
  }
  return member
}

export interface Campaign extends Choice {
  readonly kind: Kind
  readonly programs: number
  readonly seed: number
  readonly cap?: number
  readonly members?: number
  /** Whether the classes of the ordered relation are counted too. */
  readonly countsOrdered?: boolean
}

export interface Tally {
  readonly kind: Kind
  programs: number
  skipped: number
  refused: number
  outcomes: number
  executions: number
  /** Executions of the ordered relation, where all changes conflict. */
  ordered: number
  blocked: number
  passes: number
  lost: number
  invented: number
  differing: number
  /** The first program of these, made small. */
  wrong: { readonly seed: number; readonly program: Ast } | undefined
}

export function runCampaign({ kind, programs, seed, cap = 3000, members = 2, countsOrdered = false, ...choice }: Campaign): Tally {
  const tally: Tally = { kind, programs: 0, skipped: 0, refused: 0, outcomes: 0, executions: 0, ordered: 0, blocked: 0, passes: 0, lost: 0, invented: 0, differing: 0, wrong: undefined }
  const judge = (program: Ast): Comparison | undefined => compare(program, { ...choice, cap, members })
  for (let i = 0; i < programs; i++) {
    const program = generate(kind, new Random(seed + i))
    tally.programs++
    try {
      const comparison = judge(program)
      if (comparison === undefined) tally.skipped++
      else add(tally, comparison)
      if (comparison !== undefined && isWrong(comparison)) tally.wrong ??= { seed: seed + i, program: shrink(program, (smaller) => isWrong(judge(smaller))) }
      if (comparison !== undefined && countsOrdered) tally.ordered += runEngine(program, { ...choice, equivalence: 'trace' }).executions
    } catch (error) {
      if (!(error instanceof OptionError)) throw new Error(`program with seed ${seed + i} of ${kind}: ${String(error)}`, { cause: error })
      tally.refused++
    }
  }
  return tally
}

function add(tally: Tally, comparison: Comparison): void {
  for (const name of ['outcomes', 'executions', 'blocked', 'passes'] as const) tally[name] += comparison[name]
  for (const name of ['lost', 'invented', 'differing'] as const) if (comparison[name] > 0) tally[name]++
}

function isWrong(comparison: Comparison | undefined): boolean {
  return comparison !== undefined && comparison.lost + comparison.invented + comparison.differing > 0
}

/** A smaller program that is still wrong, by leaving out one thing after another. */
export function shrink(ast: Ast, stillWrong: (ast: Ast) => boolean): Ast {
  const smaller = smallerPrograms(ast).find((candidate) => {
    try {
      return stillWrong(candidate)
    } catch {
      return false
    }
  })
  return smaller === undefined ? ast : shrink(smaller, stillWrong)
}

function smallerPrograms(ast: Ast): Ast[] {
  const threads = ast.threads.flatMap((steps, i) => [
    { ...ast, threads: ast.threads.toSpliced(i, 1) },
    ...steps.map((_, j) => ({ ...ast, threads: ast.threads.with(i, steps.toSpliced(j, 1)) })),
    ...steps.flatMap((step, j) => smallerSteps(step).map((smaller) => ({ ...ast, threads: ast.threads.with(i, steps.with(j, smaller)) }))),
  ])
  return [...threads, ...ast.end.map((_, i) => ({ ...ast, end: ast.end.toSpliced(i, 1) }))]
}

function smallerSteps({ when, ...step }: Step): Step[] {
  const kept = when === undefined ? {} : { when }
  const without: Step[] = when === undefined ? [] : [step]
  if (step.type !== 'atomic') return without
  return [...without, ...smallerBodies(step.body).map((body) => ({ ...step, ...kept, body }))]
}

function smallerBodies(body: readonly Part[]): Part[][] {
  return body.flatMap((part, i) => {
    const without = [body.toSpliced(i, 1)]
    if (part.type !== 'if') return without
    return [...without, body.toSpliced(i, 1, ...part.body), ...smallerBodies(part.body).map((inner) => body.with(i, { ...part, body: inner }))]
  })
}
