import { messageOf } from './messages.ts'

/** What an exploration ends with whose plain run has failed, where there is nothing else to look at. */
export class PlainFailure extends Error {
  override readonly name = 'PlainFailure'
}

/** Why there is no verdict of an exploration that ended so. */
export const reasonOfEnd = (error: unknown): string => (error instanceof PlainFailure ? `under control its plain run fails: ${error.message}` : messageOf(error))
