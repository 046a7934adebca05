import { learnToReadSqlite } from '../../src/runtime/drivers/sqlite/footprint.ts'
import { compareWith, type Comparison } from '../servers/comparison.ts'
import { outcomesOf, type Open } from './enumerate.ts'
import { contents, start, type Program } from './program.ts'

const source = ({ tasks, connections }: Program): string => `
const ask = (connection, { text, values, by }, log) => {
  const given = values.map((value) => (value === '$last' ? log.last : value === '$next' ? log.last + 1 : value))
  const answer = by === 'exec' ? (connection.exec(text), null) : connection.prepare(text)[by](...given)
  // Of what inserts nothing the last number is any that the connection has given before.
  log.answers.push(by === 'run' && !text.startsWith('insert') ? answer.changes : (answer ?? null))
  const { n } = (Array.isArray(answer) ? answer[0] : answer) ?? {}
  if (typeof n === 'number') log.last = n
}
const run = async (connection, steps) => {
  const log = { answers: [], last: 0 }
  for (const { asks, isTransaction } of steps) {
    await null
    const all = () => {
      for (const one of asks) ask(connection, one, log)
    }
    try {
      if (isTransaction && connection.transaction) connection.transaction(all)()
      else all()
    } catch (error) {
      log.answers.push(error.message)
    }
  }
  return log.answers
}
const opened = open(${Math.max(...connections) + 1})
opened[0].exec(start)
const logs = await Promise.all([${tasks.map((steps, i) => `run(opened[${connections[i]}], ${JSON.stringify(steps)})`).join(', ')}])
const found = contents.map((text) => {
  try {
    return opened[0].prepare(text).all()
  } catch (error) {
    return error.message
  }
})
return JSON.stringify([logs, found])`

/** Explores a program, and compares how it can end with all orders of its steps. Undefined where there are too many. */
export async function compare(program: Program, { open, limit }: { readonly open: Open; readonly limit: number }): Promise<Comparison | undefined> {
  await learnToReadSqlite({ isUsed: true })
  const reference = outcomesOf(program, open, limit)
  return reference && compareWith(reference, source(program), { scope: { open, start, contents }, limit })
}
