import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { OptionError, explore, parseSchedule, type Exploration, type Program, type SearchOptions } from '../../src/engine/index.ts'
import { toProgram } from './adapter.ts'
import type { Ast } from './ast.ts'
import { enumerateClasses, formOf } from './enumerate.ts'
import { generate, type Kind } from './generate.ts'
import { Random } from './random.ts'

/** Explores the program in one go after another, each of so many executions and going on where the last one ended. */
export function exploreInPieces(program: Program, options: SearchOptions, executions: number): Exploration {
  const folder = mkdtempSync(path.join(tmpdir(), 'dpor-resumed-'))
  const file = path.join(folder, 'search.json')
  try {
    for (;;) {
      const found = explore(program, { ...options, maxExecutions: executions, saveTo: file, resumeFrom: file })
      if (!existsSync(file)) return found
      if (found.verdict === 'holds') throw new Error('what is not explored to the end holds')
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export interface ResumedTally {
  programs: number
  /** Programs of which the pieces together do not have just the classes that there are, or another verdict than the whole. */
  wrong: number
  firstWrong: Ast | undefined
  /** Programs of which the executions come in another order than in one go. */
  otherOrder: number
  blocked: number
  blockedInPieces: number
}

export interface ResumedCampaign extends SearchOptions {
  readonly kind: Kind
  readonly programs: number
  readonly seed: number
  /** States above which a program is skipped. */
  readonly cap?: number
  /** Into how many parts each exploration is divided. */
  readonly parts?: number
}

/** Compares explorations in pieces of one to seven executions with all classes that there are. */
export function runResumedCampaign({ kind, programs, seed, cap = 2000, parts = 1, ...options }: ResumedCampaign): ResumedTally {
  const tally: ResumedTally = { programs: 0, wrong: 0, firstWrong: undefined, otherOrder: 0, blocked: 0, blockedInPieces: 0 }
  const ofParts = parts === 1 ? [{}] : Array.from({ length: parts }, (_, i) => ({ part: `${i + 1}/${parts}` }))
  for (let i = 0; i < programs; i++) {
    const ast = generate(kind, new Random(seed + i))
    const classes = enumerateClasses(ast, { cap, merge: true })
    if (classes === undefined || classes.size > 200) continue
    const program = toProgram(ast)
    const explored = (by: (options: SearchOptions) => Exploration): Exploration[] => ofParts.map((part) => by({ ...options, ...part, stopOnFirst: false }))
    const whole = ifTaken(() => explored((given) => explore(program, { ...given, ...(options.algorithm === 'naive' && { maxExecutions: mostExecutions }) })))
    if (whole === undefined || whole.some(({ executions, inconclusiveReason }) => executions >= mostExecutions && inconclusiveReason?.startsWith('maxExecutions'))) continue
    const pieces = explored((given) => exploreInPieces(program, given, 1 + (i % 7)))
    const found = pieces.flatMap(({ failures }) => failures.map(({ schedule }) => schedule))
    const forms = new Set(found.map((schedule) => formOf(ast, parseSchedule(schedule))))
    tally.programs++
    tally.blocked += sum(whole, 'blocked')
    tally.blockedInPieces += sum(pieces, 'blocked')
    if (schedules(pieces) !== schedules(whole)) tally.otherOrder++
    const isAll = options.preemptionBound !== undefined || forms.size === classes.size
    const areOnce = (options.algorithm === 'naive' ? new Set(found) : forms).size === sum(pieces, 'executions')
    if (isAll && areOnce && sum(pieces, 'executions') === sum(whole, 'executions') && reasons(pieces) === reasons(whole)) continue
    tally.wrong++
    tally.firstWrong ??= ast
  }
  return tally
}

/** Above this, all interleavings of a program are too many to be explored in pieces. */
const mostExecutions = 150

/** Nothing if the algorithm refuses the program. */
export function ifTaken<Found>(found: () => Found): Found | undefined {
  try {
    return found()
  } catch (error) {
    if (error instanceof OptionError) return undefined
    throw error
  }
}

function sum(all: readonly Exploration[], count: 'executions' | 'blocked'): number {
  return all.reduce((total, exploration) => total + exploration[count], 0)
}

function schedules(all: readonly Exploration[]): string {
  return all.flatMap(({ failures }) => failures.map(({ schedule, execution }) => `${execution}: ${schedule}`)).join('\n')
}

function reasons(all: readonly Exploration[]): string {
  return all.map(({ inconclusiveReason }) => inconclusiveReason).join('\n')
}
