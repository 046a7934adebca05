import { ReplayError } from './errors.ts'
import { Math } from './intrinsics.ts'

/** No schedule stands for more steps than this: a mistyped count must not fill the memory. */
const longest = 10_000_000

/** A run of one process. */
interface Run {
  readonly process: number
  readonly count: number
}

/** What is longer than this as numbers is written in letters. */
const longestNumbers = 39

/**
 * A schedule as text: process ordinals in the order of their steps, runs compressed, joined by dots; `[0, 0, 1, 2]` is `0x2.1.2`. Where
 * that gets long a letter stands for each process, and a number behind it for how often it goes on: `a2bc`.
 */
export function formatSchedule(schedule: ArrayLike<number>): string {
  const runs: Run[] = []
  let start = 0
  while (start < schedule.length) {
    let end = start + 1
    while (end < schedule.length && schedule[end] === schedule[start]) end++
    runs.push({ process: schedule[start]!, count: end - start })
    start = end
  }
  const numbers = runs.map(({ process, count }) => (count === 1 ? `${process}` : `${process}x${count}`)).join('.')
  const isLong = numbers.length > longestNumbers && runs.every(({ process }) => process < lettersAlone + lettersAlone ** 2)
  return isLong ? runs.map(({ process, count }) => lettersOf(process) + (count === 1 ? '' : count)).join('') : numbers
}

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
/** So many processes have one letter each; later ones have two, behind a stroke. */
const lettersAlone = letters.length

function lettersOf(process: number): string {
  if (process < lettersAlone) return letters[process]!
  const rest = process - lettersAlone
  return `_${letters[Math.floor(rest / lettersAlone)]}${letters[rest % lettersAlone]}`
}

/** Reads what `formatSchedule` writes; a run may also be written in pieces (`1x2.1`). Empty text is the empty schedule. */
export function parseSchedule(text: string): number[] {
  const schedule: number[] = []
  if (text === '') return schedule
  const readRun = /^[a-zA-Z_]/.test(text) ? readLetters : readNumbers
  for (let position = 0; position < text.length; ) {
    const { process, count, end } = readRun(text, position)
    if (schedule.length + count > longest) throw malformed(text, position, `at most ${longest} steps`)
    for (let i = 0; i < count; i++) schedule.push(process)
    position = end
  }
  return schedule
}

interface ReadRun extends Run {
  /** Where the next one begins. */
  readonly end: number
}

/** `1x2.` */
function readNumbers(text: string, start: number): ReadRun {
  const process = readNumber(text, start, 'a process number')
  const { value: count, end } = text[process.end] === 'x' ? readCount(text, process.end + 1) : { value: 1, end: process.end }
  if (end === text.length) return { process: process.value, count, end }
  if (text[end] !== '.') throw malformed(text, end, "'.', 'x' or the end")
  if (end + 1 === text.length) throw malformed(text, end + 1, 'a process number')
  return { process: process.value, count, end: end + 1 }
}

/** `b2` */
function readLetters(text: string, start: number): ReadRun {
  const isLate = text[start] === '_'
  const first = start + Number(isLate)
  const end = first + (isLate ? 2 : 1)
  let value = 0
  for (let position = first; position < end; position++) {
    const letter = letters.indexOf(text[position] ?? '-')
    if (letter < 0) throw malformed(text, position, 'a letter')
    value = value * lettersAlone + letter
  }
  const process = isLate ? lettersAlone + value : value
  if (!/\d/.test(text[end] ?? '')) return { process, count: 1, end }
  const count = readCount(text, end)
  return { process, count: count.value, end: count.end }
}

function readCount(text: string, start: number): { value: number; end: number } {
  const count = readNumber(text, start, 'a count')
  if (count.value === 0) throw malformed(text, start, 'a count of at least 1')
  return count
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
      'A schedule looks like 0x2.1.2 or a2bc; copy it whole from the failure that printed it',
    position,
  )
}
