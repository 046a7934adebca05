import { arrays } from './arrays.ts'
import { askingLoops } from './asking-loops.ts'
import { binary } from './binary.ts'
import type { Case } from './case.ts'
import { collections } from './collections.ts'
import { everywhere } from './everywhere.ts'
import { happenings } from './events.ts'
import { fixedOrders } from './fixed-orders.ts'
import { identity } from './identity.ts'
import { implicitCalls } from './implicit-calls.ts'
import { iterators } from './iterators.ts'
import { language } from './language.ts'
import { firstOfMany, longLists } from './long-lists.ts'
import { manyNames } from './many-names.ts'
import { mixedChanges } from './mixed-changes.ts'
import { objects } from './objects.ts'
import { opaqueCode } from './opaque-code.ts'
import { order } from './order.ts'
import { ownWork } from './own-work.ts'
import { pairs } from './pairs.ts'
import { patternsEverywhere } from './patterns.ts'
import { platform } from './platform.ts'
import { platformState } from './platform-state.ts'
import { promises } from './promises.ts'
import { promisesAndLanguage } from './promises-and-language.ts'
import { rare } from './rare.ts'
import { reach } from './reach.ts'
import { replacedFunctions } from './replaced.ts'
import { secondLook } from './second-look.ts'
import { smallApplications } from './small-applications.ts'
import { toldFirst } from './told-first.ts'
import { unusualBuiltIns } from './unusual-built-ins.ts'
import { unusualEvents } from './unusual-events.ts'
import { unusualLanguage } from './unusual-language.ts'
import { unusualPromises } from './unusual-promises.ts'
import { unusualWays } from './unusual-ways.ts'

export type { Case } from './case.ts'

/** All bodies, by what they are about. Those for which the platform is too old are left out. */
export const corpus: Readonly<Record<string, readonly Case[]>> = Object.fromEntries(
  Object.entries({ objects, arrays, binary, collections, platform, iterators, events: happenings, reach, language, promises, 'promises and language': promisesAndLanguage, 'opaque code': opaqueCode, identity, order, 'fixed orders': fixedOrders, pairs, 'unusual built-ins': unusualBuiltIns, 'unusual language': unusualLanguage, 'unusual events': unusualEvents, 'unusual promises': unusualPromises, 'unusual ways': unusualWays, 'many names': manyNames, 'mixed changes': mixedChanges, 'long lists': longLists, 'first of many': firstOfMany, patterns: patternsEverywhere, everywhere, rare, replaced: replacedFunctions, 'second look': secondLook, 'asking loops': askingLoops, 'small applications': smallApplications, 'own work': ownWork, 'told first': toldFirst, 'implicit calls': implicitCalls, 'platform state': platformState }).map(([group, cases]) => [
    group,
    cases.filter(({ needs = true }) => needs),
  ]),
)
