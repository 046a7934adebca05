import { parseArgs } from 'node:util'
import { estimated, estimateError, isClose } from './estimate.ts'

const { values } = parseArgs({ options: { executions: { type: 'string', default: '1000' }, seeds: { type: 'string', default: '5' } } })
const executions = Number(values.executions)
const seeds = Array.from({ length: Number(values.seeds) }, (_, seed) => seed)
const tally = { all: 0, close: 0, guessed: 0, closeGuesses: 0, inRange: 0 }
for (const litmus of estimated) {
  const errors = seeds.map((seed) => estimateError(litmus, { executions, seed }))
  const guesses = errors.filter(({ inRange }) => inRange !== undefined)
  tally.all += errors.length
  tally.close += errors.filter(isClose).length
  tally.guessed += guesses.length
  tally.closeGuesses += guesses.filter(isClose).length
  tally.inRange += guesses.filter(({ inRange }) => inRange).length
  if (guesses.length > 0) console.log(litmus.name.padEnd(34), String(litmus.classes).padStart(7), errors.map(({ ratio }) => ratio.toFixed(2)).join(' '))
}
console.log(`${tally.close} of ${tally.all} within a factor of 3; of ${tally.guessed} that were not explored to the end ${tally.closeGuesses}, and ${tally.inRange} in the range that is given`)
process.exitCode = tally.close / tally.all < 0.9 ? 1 : 0
