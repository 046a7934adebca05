import pc from 'picocolors'
import { eventText } from './event-text.ts'
import type { Explanation } from './explanation.ts'
import { replayByCommand, replayInTest } from './replay.ts'
import { alsoTexts, countsText, endOfTitle, sequentialText } from './sentences.ts'
import { storyLines, type Colors } from './story-text.ts'
import { traceLines } from './trace-text.ts'
import type { ToldStep } from './whole-execution.ts'
import { wrap } from './wrap.ts'

export interface TextOptions {
  readonly color: boolean
  /** Columns there are. Default 100. */
  readonly width?: number
  /** Spaces before every line. Default 0. */
  readonly indent?: number
  /** All that ran, to be told besides. */
  readonly trace?: { readonly steps: readonly ToldStep[]; readonly names: readonly string[] } | undefined
  /** The path of the page that shows the failure. */
  readonly page?: string | undefined
}

/** Longest line of prose. */
const proseWidth = 78

/** An explanation to read in a terminal. */
export function renderText(explanation: Explanation, { color, width = 100, indent = 0, trace, page }: TextOptions): string {
  const colors = pc.createColors(color)
  const room = Math.max(20, width - indent)
  const blocks = [
    headLines(explanation, Math.min(proseWidth, room), colors),
    storyLines(explanation, room, colors),
    passingLines(explanation, room, colors),
    eventLines(explanation, Math.min(proseWidth, room)),
    statementLines(explanation, room, colors),
    explanation.remedy === undefined ? [] : wrap(explanation.remedy, Math.min(proseWidth, room)),
    alsoLines(explanation, Math.min(proseWidth, room), colors),
    trace ? ['The whole execution:', '', ...traceLines(trace.steps, trace.names)] : [],
    [...endLines(explanation, colors), ...(page === undefined ? [] : [`Page: ${page}`])],
  ]
  const lines = blocks.filter((block) => block.length > 0).flatMap((block, index) => (index === 0 ? block : ['', ...block]))
  return lines.map((line) => (line === '' ? '' : `${' '.repeat(indent)}${line}`)).join('\n')
}

/** The headline, and the counts at the end of its last line if there is room. */
function headLines(explanation: Explanation, width: number, colors: Colors): string[] {
  const lines = wrap(explanation.headline, width)
  const counts = countsText(explanation)
  const last = lines.at(-1)!
  const gap = width - last.length - counts.length
  const head = emphasised(lines, colors)
  if (gap >= 3) head[head.length - 1] += ' '.repeat(gap) + colors.dim(counts)
  else head.push(colors.dim(counts))
  return head
}

/** What sort of failure it is stands out: the words before the colon. */
function emphasised(lines: readonly string[], colors: Colors): string[] {
  const [first, ...more] = lines
  const end = endOfTitle(first!)
  if (end < 0) return [colors.bold(first!), ...more]
  return [colors.bold(colors.red(first!.slice(0, end))) + first!.slice(end), ...more]
}

/** What the failure depends on, as running other orders has shown. */
function passingLines(explanation: Explanation, width: number, colors: Colors): string[] {
  const { passesWith, passing = [], columns } = explanation
  if (passesWith) {
    const [first, second] = passesWith.map((number) => colors.bold(String(number)))
    const sentence = `The test passes with ${second} before ${first}`
    return passing.length === 0 ? [`${sentence}.`] : [`${sentence}:`, '', ...storyLines({ rows: passing, columns: columns.filter(({ ordinal }) => passing.some(({ process }) => process === ordinal)) }, width, colors)]
  }
  const text = sequentialText(explanation)
  return text === undefined ? [] : wrap(text, width)
}

/** Letters of a statement that are shown. */
const longestStatement = 300

/** The statement of each row, after the isolation level of its transaction. */
function statementLines({ statements = [], rows }: Explanation, width: number, colors: Colors): string[] {
  const [numberWidth, levelWidth] = [String(rows.length).length, Math.max(...statements.map(({ level }) => level.length))]
  return statements.flatMap(({ number, text, level }) => {
    const head = `${String(number).padStart(numberWidth)}  ${level.padEnd(levelWidth)}   `
    const shown = text.length > longestStatement ? `${text.slice(0, longestStatement)}...` : text
    const [first, ...more] = wrap(shown, Math.max(20, width - head.length))
    return [colors.dim(head) + first!, ...more.map((line) => ' '.repeat(head.length) + line)]
  })
}

/** Whether the platform can come to such an order: that depends on what takes time. */
function eventLines(explanation: Explanation, width: number): string[] {
  const text = eventText(explanation)
  return text === undefined ? [] : wrap(text, width)
}

const alsoLines = (explanation: Explanation, width: number, colors: Colors): string[] => alsoTexts(explanation).flatMap((text) => wrap(text, width)).map((line) => colors.dim(line))

function endLines(explanation: Explanation, colors: Colors): string[] {
  const { failureKind, message, schedule, commandLineReplay, isOrdinary } = explanation
  const error = failureKind === 'deadlock' ? [] : message.split('\n').map((line) => colors.red(line))
  // Where there is no such command line a variable of the environment says it.
  if (isOrdinary) return [...error, `Replay: ${commandLineReplay === undefined ? `DPOR_REPLAY=${colors.bold(schedule)}` : `vitest run -- --dpor ${replayByCommand({ ...explanation, commandLineReplay: colors.bold(commandLineReplay) })}`}`]
  const replay = `Replay: dporTest(name, ${replayInTest(explanation, colors.bold(`'${schedule}'`))}, ...)`
  return [...error, commandLineReplay === undefined ? replay : `${replay}  or  -- ${replayByCommand(explanation)}`]
}
