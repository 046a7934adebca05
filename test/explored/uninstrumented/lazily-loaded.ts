import { nativeNow } from '../../../src/runtime/execution/native.ts'

let isLoaded = false

/** Takes long the first time. */
export function load(milliseconds: number): void {
  const until = isLoaded ? 0 : nativeNow() + milliseconds
  while (nativeNow() < until);
}

export const loaded = (is: boolean): void => void (isLoaded = is)
