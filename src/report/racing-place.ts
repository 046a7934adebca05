import type { Explanation, ShownPlace } from './explanation.ts'

/** Where to point a code frame: at the stale write, the act, the read that came too early or too late, the first wait. */
export function racingPlace({ focus }: Explanation): ShownPlace | undefined {
  return focus
}
