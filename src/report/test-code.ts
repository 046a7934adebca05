import type { Access } from './accesses.ts'
import type { ExplainInput, Place } from './input.ts'
import { isOfPackage } from './places.ts'

/**
 * Which places are the test's own code: those in its file. Where the user has no code in another file that took part, the code under test stands there as well, before the
 * body that is explored: only what stands in that, or behind it, is the test's own then.
 */
export function testCodeIn({ recording: { calls = [] }, testFile }: Pick<ExplainInput, 'recording' | 'testFile'>, accesses: readonly Access[]): (place: Pick<Place, 'file' | 'line'> | undefined) => boolean {
  if (testFile === undefined) return () => false
  const hasOther = accesses.some(({ place }) => place !== undefined && place.file !== testFile && !isOfPackage(place))
  const body = hasOther ? undefined : calls.find(({ caller, code }) => caller === undefined && code?.file === testFile)?.code
  return (place) => place?.file === testFile && place.line >= (body?.line ?? 0)
}
