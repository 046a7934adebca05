import { BornKeys } from './born-keys.ts'
import { FixedMethods } from './fixed-methods.ts'

/** What is taken for granted in an exploration until it turns out otherwise. */
export class Assumptions {
  readonly bornKeys: BornKeys
  readonly fixedMethods: FixedMethods

  /**
   * @param isTrusting whether the exploration can start anew; otherwise nothing is taken for granted
   * @param isReplaying one schedule is run, perhaps again: nothing starts anew, and no run knows of the one before
   */
  constructor(options: { readonly isTrusting: boolean; readonly isReplaying?: boolean }) {
    this.bornKeys = new BornKeys(options)
    this.fixedMethods = new FixedMethods(options)
  }

  beginExecution(): void {
    this.bornKeys.beginExecution()
    this.fixedMethods.beginExecution()
  }
}
