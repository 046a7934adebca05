import { runEngine, type EngineRun } from './adapter.ts'
import type { Ast } from './ast.ts'
import { shrink } from './compare.ts'
import { formOf } from './enumerate.ts'
import { Trust } from '../../src/engine/algorithms/trust/trust.ts'
import type { TrustRules } from '../../src/engine/algorithms/trust/rules.ts'
import { OptionError } from '../../src/engine/index.ts'
import { DividedBeginnings } from '../../src/engine/parts/divided-beginnings.ts'
import { DividedTree } from '../../src/engine/parts/divided-tree.ts'
import { Part } from '../../src/engine/parts/share.ts'
import { TreeDpor, type PreemptionRules } from '../../src/engine/algorithms/tree-dpor.ts'
import { generate, type Kind } from './generate.ts'
import { fewestByClass } from './preemptions.ts'
import { Random } from './random.ts'

/** What explores with a bound: the tree that takes what needs the fewest preemptions first, or execution graphs. */
export type Bounded = ({ readonly by: 'tree'; readonly rules?: PreemptionRules } | { readonly by: 'trust'; readonly rules?: TrustRules }) & {
  /** Into how many parts the executions are divided. */
  readonly parts?: number
}

/** Of each part: fewer than there are executions in most programs, and more than one. */
const piecesOfPart = 3

export interface BoundedCampaign {
  readonly kind: Kind
  readonly programs: number
  readonly seed: number
  /** Default: the tree. */
  readonly bounded?: Bounded
  /** States above which a program is skipped. */
  readonly cap?: number
}

export interface BoundedTally {
  readonly kind: Kind
  programs: number
  skipped: number
  /** With steps that are not taken. */
  refused: number
  /** Programs where a class with few enough preemptions was not explored, or a class twice. */
  lost: number
  repeated: number
  /** Classes that had to be explored, over all bounds; executions, and what was given up as redundant. */
  wanted: number
  executions: number
  blocked: number
  /** The first program that is wrong, made small. */
  wrong: { readonly seed: number; readonly program: Ast } | undefined
}

interface Found {
  readonly lost: number
  readonly repeated: number
  readonly wanted: number
  readonly executions: number
  readonly blocked: number
}

/** Bounds that are compared; with the last one nothing is left out. */
const bounds = [0, 1, 2, 3, Infinity]

/** Compares what is explored with a bound, and what is said to be explored without one, with the preemptions of every class by brute force. */
export function runBoundedCampaign({ kind, programs, seed, cap = 6000, bounded = { by: 'tree' } }: BoundedCampaign): BoundedTally {
  const tally: BoundedTally = { kind, programs: 0, skipped: 0, refused: 0, lost: 0, repeated: 0, wanted: 0, executions: 0, blocked: 0, wrong: undefined }
  for (let i = 0; i < programs; i++) {
    const program = generate(kind, new Random(seed + i))
    tally.programs++
    const found = attempt(program)
    if (found === undefined || found === 'refused') {
      tally[found ?? 'skipped']++
      continue
    }
    tally.wanted += found.wanted
    tally.executions += found.executions
    tally.blocked += found.blocked
    if (found.lost > 0) tally.lost++
    if (found.repeated > 0) tally.repeated++
    if (isWrong(found)) tally.wrong ??= { seed: seed + i, program: shrink(program, (smaller) => isWrong(attempt(smaller))) }
  }
  return tally

  function attempt(candidate: Ast): Found | 'refused' | undefined {
    try {
      return compareBounds(candidate, { cap, bounded })
    } catch (error) {
      if (error instanceof OptionError) return 'refused'
      throw error
    }
  }
}

function isWrong(found: Found | 'refused' | undefined): boolean {
  return found !== undefined && found !== 'refused' && found.lost + found.repeated > 0
}

export function compareBounds(ast: Ast, { cap, bounded = { by: 'tree' } }: { readonly cap: number; readonly bounded?: Bounded }): Found | undefined {
  const fewest = fewestByClass(ast, { cap })
  if (fewest === undefined) return undefined
  const all = bounds.map((bound) => compareBound(ast, fewest, { bound, bounded })).filter((found) => found !== undefined)
  if (all.length < bounds.length) return undefined
  const sum = (of: (found: Found) => number): number => all.reduce((total, found) => total + of(found), 0)
  return {
    lost: sum(({ lost }) => lost),
    repeated: sum(({ repeated }) => repeated),
    wanted: sum(({ wanted }) => wanted),
    executions: sum(({ executions }) => executions),
    blocked: sum(({ blocked }) => blocked),
  }
}

function compareBound(ast: Ast, fewest: ReadonlyMap<string, number>, { bound, bounded }: { readonly bound: number; readonly bounded: Bounded }): Found | undefined {
  let tree: { readonly exploredPreemptions: number } | undefined
  /** By the number of complete executions: of what preemptions all classes were said to be explored then. */
  const said: number[] = []
  const { parts = 1 } = bounded
  const runs = Array.from({ length: parts }, (_, index) =>
    runEngine(ast, {
      makeAlgorithm(trace) {
        const share = parts === 1 ? undefined : new Part({ index, count: parts, pieces: piecesOfPart * parts })
        if (bounded.by === 'trust') {
          const trust = new Trust(trace, { bound, ...bounded })
          return share === undefined ? trust : new DividedBeginnings(trace, trust, share)
        }
        const whole = new TreeDpor(trace, { bound, ...bounded })
        const made = share === undefined ? whole : new DividedTree(trace, whole, share)
        if (parts === 1) tree = made
        return made
      },
      onExecution(complete) {
        if (tree !== undefined) said[complete] = tree.exploredPreemptions
      },
    }),
  )
  if (runs.some(({ isRefused }) => isRefused)) return undefined
  const total = (of: (run: EngineRun) => number): number => runs.reduce((sum, run) => sum + of(run), 0)
  const [executions, blocked] = [total((run) => run.executions), total((run) => run.blocked)]
  const schedules = runs.flatMap((run) => run.schedules)
  const forms = schedules.map((schedule) => formOf(ast, schedule))
  const explored = new Set(forms)
  if ([...explored].some((form) => !fewest.has(form))) throw new Error('the engine explored what cannot happen')
  const wanted = [...fewest].filter(([, preemptions]) => preemptions <= bound)
  const missing = wanted.filter(([form]) => !explored.has(form))
  const late = forms.filter((form, i) => fewest.get(form)! <= (said[i] ?? -1))
  return { lost: missing.length + late.length, repeated: executions - explored.size, wanted: wanted.length, executions, blocked }
}
