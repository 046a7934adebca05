import { abortControllers, abortSignals, signalFunctions } from './abort-signals.ts'
import { bodies } from './bodies.ts'
import { dateTexts } from './date-texts.ts'
import { dateChanges, dates } from './dates.ts'
import { digests } from './digests.ts'
import { emitters, eventsModule } from './event-emitters.ts'
import { domEvents, targetListeners, targets } from './event-targets.ts'
import { membersOf, type Family, type Member } from './family.ts'
import { finalization } from './finalization.ts'
import type { Fn, Handler } from './handler.ts'
import { inspectOptions } from './inspect-options.ts'
import { iterators } from './iterators.ts'
import { lastMatch } from './last-match.ts'
import { mediaTypes } from './media-types.ts'
import { multimaps } from './multimaps.ts'
import { processState } from './process-state.ts'
import { compilation, regularExpressions, stringMatching } from './regular-expressions.ts'
import { realTargets } from './real-targets.ts'
import { streams } from './streams.ts'
import { textDecoders, textEncoders } from './text-coding.ts'
import { urls } from './urls.ts'
import { watched } from './watching.ts'
import { webCrypto } from './web-crypto.ts'
import { webStreams } from './web-streams.ts'
import { weakRefs } from './weak-refs.ts'

/** The built-ins with a state inside that no property shows, by families. */
const families: readonly Family[] = [
  dates, dateTexts, dateChanges, regularExpressions, compilation, stringMatching, lastMatch, ...multimaps, urls, ...mediaTypes, inspectOptions, ...bodies, textDecoders, textEncoders, weakRefs, finalization,
  emitters, eventsModule, ...targets, targetListeners, domEvents, abortControllers, abortSignals, signalFunctions, ...iterators,
  ...streams, ...webStreams, ...webCrypto, ...processState, ...digests, ...realTargets,
]

const members = families.flatMap(membersOf)

/** What each function means, and each version of one that stands in its place from the first exploration on. */
export const familyHandlers: readonly (readonly [Fn, Handler])[] = members.flatMap((member) => {
  const own = [member.native, member.handler] as const
  return member.isWatched ? [own, [watched(member), member.handler] as const] : [own]
})

/** The names of accessors among them. */
export const familyAccessors: readonly PropertyKey[] = members.filter(({ part }) => part !== 'value').map(({ key }) => key)

/** The functions whose calls by code that is not instrumented are told. */
export const watchedMembers: readonly Member[] = members.filter(({ isWatched }) => isWatched)
