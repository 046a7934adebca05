/** What the rule of observation consists of; tests switch one off to see the oracle object. */
export interface ObservationRules {
  /** All unordered changes are compared, not only the last two. */
  readonly allChanges: boolean
  /** What is looked at after the last step counts. */
  readonly finalLooks: boolean
  /** A process that changed the location last may still see the changes of others. */
  readonly ownChanges: boolean
  /** What is waited for is looked at in every state. */
  readonly conditions: boolean
  /** Whether a key is there is decided by what happens before the step, not by looking. */
  readonly pastKeys: boolean
  /** An insertion and a removal of one key decide the size. */
  readonly sizes: boolean
  /** Only integers are added in any order. */
  readonly integers: boolean
  /** A change comes after all that it conflicts with, not only after the last of it. */
  readonly allConflicts: boolean
  /** Whoever observes makes the exploration start anew. */
  readonly restart: boolean
}

export const allObservationRules: ObservationRules = {
  allChanges: true,
  finalLooks: true,
  ownChanges: true,
  conditions: true,
  pastKeys: true,
  sizes: true,
  integers: true,
  allConflicts: true,
  restart: true,
}
