import { Array, Reflect } from '../../../../engine/intrinsics.ts'
import { nameNew } from '../../../accesses/new-graphs.ts'
import type { Execution } from '../../../execution/execution.ts'
import { besideSteps } from '../../../execution/running.ts'
import type { Answer } from '../../question.ts'
import type { Connection } from '../connections.ts'
import { Statement, type Text } from '../statement.ts'

/** `db.query()`, or `db.exec()`, which is answered by a list. */
export class PgliteStatement extends Statement {
  readonly #send: () => Promise<unknown>

  constructor(execution: Execution, text: Text, { connection, send }: { readonly connection: Connection; readonly send: () => Promise<unknown> }) {
    super(execution, text, connection)
    this.#send = send
  }

  protected give(answered: (answer: Answer) => void): void {
    besideSteps(this.#send).then((value) => answered({ value }), (error: unknown) => answered({ error }))
  }

  protected rowsOf(answered: object): unknown {
    return Array.isArray(answered) ? undefined : Reflect.get(answered, 'rows')
  }

  protected nameAnswer(answered: object): void {
    nameNew(this.execution, answered)
  }
}
