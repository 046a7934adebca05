import { NativePromise, noop } from '../execution/native.ts'

type Settle = (value: unknown) => void

/** What settles the promise that `newPromise` made last, to be taken at once. One place for all: closures for each cost more than the promise. */
export const ofNewPromise: { fulfil: Settle; reject: Settle } = { fulfil: noop, reject: noop }

const keep = (fulfil: Settle, reject: Settle): void => {
  ofNewPromise.fulfil = fulfil
  ofNewPromise.reject = reject
}

/** A promise of the platform that nobody has settled so far. */
export function newPromise(): Promise<unknown> {
  return new NativePromise(keep)
}
