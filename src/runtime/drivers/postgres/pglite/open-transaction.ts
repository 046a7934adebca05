import { Reflect } from '../../../../engine/intrinsics.ts'
import { NativePromise, noop } from '../../../execution/native.ts'
import { besideSteps } from '../../../execution/running.ts'

type TxFunction = (this: unknown, ...args: unknown[]) => unknown

/** What the package hands to the callback of `transaction`. */
export interface Tx {
  query: TxFunction
  exec: TxFunction
  sql?: TxFunction
  rollback: TxFunction
  readonly closed: boolean
}

const open = new WeakMap<object, OpenTransaction>()

/** That in which the only session of a database is. */
export const openTransactionOf = (db: object): OpenTransaction | undefined => open.get(db)

/** A transaction of the package from its beginning on. Until it is over the package answers nothing but what is asked within. */
export class OpenTransaction {
  readonly tx: Tx
  /** The package's own functions of it. */
  readonly functions: Pick<Tx, 'query' | 'exec' | 'rollback'>
  /** What the package makes of it in the end. */
  readonly over: Promise<unknown>
  readonly #commit: (value: unknown) => void
  readonly #rollBack: (error: unknown) => void

  private constructor({ tx, over, commit, rollBack }: { readonly tx: Tx; readonly over: Promise<unknown>; readonly commit: (value: unknown) => void; readonly rollBack: (error: unknown) => void }) {
    const { query, exec, rollback } = tx
    this.tx = tx
    this.functions = { query, exec, rollback }
    this.over = over
    this.#commit = commit
    this.#rollBack = rollBack
  }

  /** Has the package begin one. */
  static begin(db: object, transaction: TxFunction): Promise<OpenTransaction> {
    return new NativePromise((begun, failed) => {
      const work = (tx: Tx): Promise<unknown> =>
        new NativePromise((commit, rollBack) => {
          const begins = new OpenTransaction({ tx, over, commit, rollBack })
          open.set(db, begins)
          begun(begins)
        })
      const over = besideSteps(() => Reflect.apply(transaction, db, [work]) as Promise<unknown>).finally(() => open.delete(db))
      over.then(noop, failed)
    })
  }

  commit(value: unknown): Promise<unknown> {
    this.#commit(value)
    return this.over
  }

  rollBack(error: unknown): Promise<unknown> {
    this.#rollBack(error)
    return this.over
  }

  /** Nobody goes on with it. */
  async giveUp(): Promise<void> {
    await this.rollBack(new Error('vitest-dpor: the execution is over')).catch(noop)
  }
}
