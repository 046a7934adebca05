import { ReplayError } from './errors.ts'

/** No schedule stands for more steps than this: a mistyped count must not fill the memory. */
const longest = 10_000_000

/**
 * A schedule as text: process ordinals in the order of their steps, runs compressed, joined by dots.
 * `[0, 0, 1, 2]` is `0x2.1.2`.
 */
export function formatSchedule(schedule: ArrayLike<number>): string {
  const runs: string[] = []
  let start = 0
  while (start < schedule.length) {
    let end = start + 1
    while (end < schedule.length && schedule[end] === schedule[start]) end++
    runs.push(end - start === 1 ? `${schedule[start]}` : `${schedule[start]}x${end - start}`)
    start = end
  }
  return runs.join('.')
}

/** Reads what `formatSchedule` writes; a run may also be written in pieces (`1x2.1`). Empty text is the empty schedule. */
export function parseSchedule(text: string): number[] {
  const schedule: number[] = []
  if (text === '') return schedule
  let position = 0
  for (;;) {
    const process = readNumber(text, position, 'a process number')
    position = process.end
    let count = 1
    if (text[position] === 'x') {
      const run = readNumber(text, position + 1, 'a count')
      if (run.value === 0) throw malformed(text, position + 1, 'a count of at least 1')
      if (schedule.length + run.value > longest) throw malformed(text, position + 1, `at most ${longest} steps`)
      count = run.value
      position = run.end
    }
    for (let i = 0; i < count; i++) schedule.push(process.value)
    if (position === text.length) return schedule
    if (text[position] !== '.') throw malformed(text, position, "'.', 'x' or the end")
    position++
  }
}

function readNumber(text: string, start: number, wanted: string): { value: number; end: number } {
  let end = start
  let value = 0
  for (; end < text.length; end++) {
    const digit = text.charCodeAt(end) - 48
    if (digit < 0 || digit > 9) break
    value = value * 10 + digit
  }
  if (end === start) throw malformed(text, start, wanted)
  if (value > longest) throw malformed(text, start, `${wanted} of at most ${longest}`)
  return { value, end }
}

function malformed(text: string, position: number, wanted: string): ReplayError {
  const found = position < text.length ? `'${text[position]}'` : 'the end'
  return new ReplayError(
    `not a schedule: expected ${wanted} at character ${position}, found ${found}. ` +
      'A schedule looks like 0x2.1.2; copy it whole from the failure that printed it',
    position,
  )
}
