import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { explore, parseSchedule, type Exploration, type Program, type SearchOptions } from '../../src/engine/index.ts'
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

/** Compares explorations in pieces of one to seven executions with all classes that there are. */
export function runResumedCampaign({ kind, programs, seed, cap = 2000, ...options }: { readonly kind: Kind; readonly programs: number; readonly seed: number; readonly cap?: number } & SearchOptions): ResumedTally {
  const tally: ResumedTally = { programs: 0, wrong: 0, firstWrong: undefined, otherOrder: 0, blocked: 0, blockedInPieces: 0 }
  for (let i = 0; i < programs; i++) {
    const ast = generate(kind, new Random(seed + i))
    const classes = enumerateClasses(ast, { cap, merge: true })
    if (classes === undefined || classes.size > 200) continue
    const program = toProgram(ast)
    const whole = explore(program, { ...options, stopOnFirst: false })
    const pieces = exploreInPieces(program, { ...options, stopOnFirst: false }, 1 + (i % 7))
    const forms = new Set(pieces.failures.map(({ schedule }) => formOf(ast, parseSchedule(schedule))))
    tally.programs++
    tally.blocked += whole.blocked
    tally.blockedInPieces += pieces.blocked
    if (schedules(pieces) !== schedules(whole)) tally.otherOrder++
    const isAll = options.preemptionBound !== undefined || forms.size === classes.size
    if (isAll && forms.size === pieces.executions && pieces.executions === whole.executions && pieces.inconclusiveReason === whole.inconclusiveReason) continue
    tally.wrong++
    tally.firstWrong ??= ast
  }
  return tally
}

function schedules({ failures }: Exploration): string {
  return failures.map(({ schedule, execution }) => `${execution}: ${schedule}`).join('\n')
}
