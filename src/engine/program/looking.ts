import type { LocationId } from '../ids.ts'
import type { Look } from '../observation/look.ts'
import type { Run } from './operations.ts'

/** Who looks at a location: an atomic step, or the invariant. */
export function lookAt(run: Run, location: LocationId, { look, call }: { readonly look: Look; readonly call: string }): void {
  if (run.inAtomic) run.search.read(location, 0, look)
  else if (run.inInvariant) run.lookAtEnd(location, look)
  else run.refuse(`${call} was called outside atomic and the invariant: use the yield* operations there`)
}
