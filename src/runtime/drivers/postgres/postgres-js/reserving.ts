import type { Execution } from '../../../execution/execution.ts'
import { besideSteps, running } from '../../../execution/running.ts'
import type { Answer, Question } from '../../question.ts'
import { openConnection } from '../connections.ts'
import type { Taken } from '../../pool-use.ts'
import { hold } from './holdings.ts'
import type { ReservedSql, Sql } from './package.ts'
import { connectionBehind, type Pool } from './pool.ts'
import { PostgresSession } from './session.ts'

/** `sql.reserve()` */
export class Reserving implements Question {
  readonly name = 'reserve'
  readonly #execution: Execution
  readonly #pool: Pool
  readonly #taken: Taken
  readonly #reserve: Sql['reserve']

  constructor(execution: Execution, { pool, taken, reserve }: { readonly pool: Pool; readonly taken: Taken; readonly reserve: Sql['reserve'] }) {
    this.#execution = execution
    this.#pool = pool
    this.#taken = taken
    this.#reserve = reserve
  }

  tell(): void {}

  send(answered: (answer: Answer) => void): void {
    besideSteps(() => this.#reserve()).then((value) => answered({ value }), (error: unknown) => answered({ error }))
  }

  giveBack(answer: Answer): void {
    if ('value' in answer) besideSteps((answer.value as ReservedSql).release)
  }

  end(execution: Execution, answer: Answer): Answer {
    const taken = this.#taken
    if ('error' in answer) taken.giveBack()
    else {
      const sql = answer.value as ReservedSql
      const reserved = connectionBehind(sql.unsafe(''))
      const release = sql.release
      let isGivenBack = false
      const giveBack = (): void => {
        if (isGivenBack) return
        isGivenBack = true
        besideSteps(release)
      }
      execution.identities.assign(reserved, taken.line.object)
      execution.identities.made(sql)
      const connection = openConnection(execution, new PostgresSession(this.#pool, reserved), { object: taken.line.object, giveBack })
      const holding = hold(execution, reserved, { connection, taken })
      sql.release = () => {
        '__dpor'
        if (running === this.#execution && !isGivenBack) holding.end()
        giveBack()
      }
    }
    return answer
  }
}
