/** What tests switch off to see the oracle object. */
export interface TrustRules {
  /** Processes that wait for a value, and were passed over, leave what they could have read to other graphs. */
  readonly passesOver: boolean
  /** A graph of which events may still be deleted may need some more preemptions. */
  readonly slack: boolean
}

export const allTrustRules: TrustRules = { passesOver: true, slack: true }
