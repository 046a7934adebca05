import { Object } from '../../engine/intrinsics.ts'

/** Puts something back as it was; answers `false` where that did not succeed. */
export interface Undo {
  (): boolean | void
  /** Whether it would not succeed now, where that is known before. */
  readonly wouldFail?: () => boolean
}

/** One that succeeds unless `wouldFail`. */
export function undoUnless(wouldFail: () => boolean, undo: () => void): Undo {
  return Object.assign(
    () => {
      const fails = wouldFail()
      undo()
      return !fails
    },
    { wouldFail },
  )
}
