import type { Choice } from './adapter.ts'
import type { Ast } from './ast.ts'
import { OptionError } from '../../src/engine/index.ts'
import { compare, shrink, type Comparison } from './compare.ts'
import { generate, type Kind } from './generate.ts'
import { Random } from './random.ts'

export interface Campaign extends Choice {
  readonly kind: Kind
  readonly programs: number
  readonly seed: number
  /** States above which a program is skipped. */
  readonly cap?: number
}

export interface Tally {
  readonly kind: Kind
  programs: number
  skipped: number
  /** With steps that the algorithm does not take. */
  refused: number
  executions: number
  blocked: number
  lost: number
  repeated: number
  /** The first program with a lost or repeated class, made small. */
  wrong: { readonly seed: number; readonly program: Ast } | undefined
}

/** Compares the engine with the enumeration on random programs of a kind. Each program has a seed of its own. */
export function runCampaign({ kind, programs, seed, cap = 4000, algorithm, makeAlgorithm }: Campaign): Tally {
  const tally: Tally = { kind, programs: 0, skipped: 0, refused: 0, executions: 0, blocked: 0, lost: 0, repeated: 0, wrong: undefined }
  for (let i = 0; i < programs; i++) {
    const program = generate(kind, new Random(seed + i))
    tally.programs++
    const comparison = attempt(program)
    if (comparison === 'refused') {
      tally.refused++
      continue
    }
    if (comparison === undefined) {
      tally.skipped++
      continue
    }
    tally.executions += comparison.executions
    tally.blocked += comparison.blocked
    if (comparison.lost > 0) tally.lost++
    if (comparison.repeated > 0) tally.repeated++
    if (comparison.lost + comparison.repeated > 0) tally.wrong ??= { seed: seed + i, program: shrink(program, isWrong) }
  }
  return tally

  function attempt(candidate: Ast): Comparison | 'refused' | undefined {
    try {
      return compare(candidate, { cap, algorithm, makeAlgorithm })
    } catch (error) {
      if (error instanceof OptionError) return 'refused'
      throw error
    }
  }

  function isWrong(candidate: Ast): boolean {
    const comparison = attempt(candidate)
    return comparison !== undefined && comparison !== 'refused' && comparison.lost + comparison.repeated > 0
  }
}
