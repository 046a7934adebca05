import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { property } from '../execution/keys.ts'
import { isInstance, isProxy } from '../execution/proxies.ts'
import { each, type Family, type Operation } from './family.ts'
import { lookFor } from './inheritance.ts'
import { matchedLast } from './last-match.ts'
import { nameNew } from './new-graphs.ts'
import { changeState, looks } from './operations.ts'
import { beforeChange, changed, isObject, recordRead, recordWrite, seen } from './telling.ts'

/** A regular expression has a position, `lastIndex`: its own property, which only a global or sticky one uses. */

/** What an operation does with the position. */
type Use =
  /** Goes on from where the last one stopped, and moves on, where it is global or sticky. */
  | 'step'
  /** Starts over where it is global and ends at the start, otherwise a step. */
  | 'all'
  /** Looks at it. */
  | 'look'
  /** Is made anew. */
  | 'change'

const positionKey = property('lastIndex')
const flagsKey = property('flags')

const flagOf = (name: 'global' | 'sticky') => {
  const get = Object.getOwnPropertyDescriptor(RegExp.prototype, name)!.get!
  return (expression: RegExp): boolean => Boolean(Reflect.apply(get, expression, []))
}
const isGlobal = flagOf('global')
const isSticky = flagOf('sticky')

/** Runs an operation, and tells what it did with the position of the expression. */
function using(execution: Execution, { expression, use, site }: { expression: RegExp; use: Use; site: SiteId }, run: () => unknown): unknown {
  // Which flags there are decides what is told. That nobody compiles it anew is taken for granted.
  if (use === 'change') changed(execution, expression, flagsKey, site, expression.flags)
  else if (!execution.identities.assumptions.unchanged.has(flagsKey)) seen(execution, expression, flagsKey, site, expression.flags)
  const keepsPosition = isGlobal(expression) || isSticky(expression)
  const moves = use === 'change' || (keepsPosition && use !== 'look')
  if (moves) beforeChange(execution, expression, 'lastIndex')
  // Without these flags the position is looked at as well, but decides nothing, and only who compiles anew changes what does.
  if (!moves) recordRead(execution, expression, 'lastIndex', site, expression.lastIndex)
  try {
    return matched(execution, run(), site)
  } finally {
    if (use === 'change') changeState(execution, expression, site)
    if (moves && use === 'all' && isGlobal(expression)) assignPosition(execution, expression, site)
    else if (moves) recordWrite(execution, expression, 'lastIndex', site, expression.lastIndex)
  }
}

/** A match is a new list, with new objects for its groups and positions. */
function matched(execution: Execution, result: unknown, site: SiteId): unknown {
  matchedLast(execution, site)
  nameNew(execution, result, { depth: 3 })
  return result
}

/** The position becomes 0 whatever it was. */
function assignPosition(execution: Execution, expression: RegExp, site: SiteId): void {
  execution.accesses.assign(execution.identities.of(expression), positionKey, site, expression.lastIndex)
}

const own = (use: Use, names: readonly PropertyKey[] = []): Operation => (native) => (execution, receiver, args, site) => {
  const run = (): unknown => Reflect.apply(native, receiver, args as never[])
  if (!isInstance(receiver, RegExp.prototype)) return run()
  lookForMethods(execution, receiver, names, site)
  return using(execution, { expression: receiver, use, site }, run)
}

/** A method of strings that hands over to a method of the expression that it is given, or of any other object. */
const ofString = (use: Use, name: symbol): Operation => (native) => (execution, receiver, args, site) => {
  const run = (): unknown => Reflect.apply(native, receiver, args as never[])
  const [given] = args
  if (!isObject(given) || isProxy(given)) return matched(execution, run(), site)
  if (!isInstance(given, RegExp.prototype)) {
    lookFor(execution, given, name, site)
    return matched(execution, run(), site)
  }
  lookForMethods(execution, given, [name, 'exec', 'flags'], site)
  return using(execution, { expression: given, use, site }, run)
}

/** An expression is asked for what it does, which may have been replaced. */
function lookForMethods(execution: Execution, expression: RegExp, names: readonly PropertyKey[], site: SiteId): void {
  if (isProxy(expression)) return
  for (const name of names) {
    if (!execution.identities.assumptions.fixed.has(name)) lookFor(execution, expression, name, site)
    else if (name === 'flags' || name === 'source') recordRead(execution, expression, name, site, undefined)
  }
}

export const regularExpressions: Family = {
  holder: RegExp.prototype,
  methods: {
    exec: own('step'),
    test: own('step', ['exec']),
    ...each([Symbol.match, Symbol.replace], own('all', ['exec', 'flags'])),
    // The position is put back after a search, and copied for `matchAll` and `split`.
    ...each([Symbol.search, Symbol.matchAll, Symbol.split], own('look', ['exec', 'flags'])),
    toString: own('look', ['source', 'flags']),
  },
  // What an expression is stays what it is, unless somebody compiles it anew.
  getters: each(['source', 'flags', 'global', 'sticky', 'ignoreCase', 'multiline', 'dotAll', 'unicode', 'unicodeSets', 'hasIndices'], looks),
}

/** Of opaque code as well: nobody can compare what an expression was. */
export const compilation: Family = { holder: RegExp.prototype, methods: { compile: own('change') }, isWatched: true }

export const stringMatching: Family = {
  holder: String.prototype,
  methods: {
    match: ofString('all', Symbol.match),
    ...each(['replace', 'replaceAll'], ofString('all', Symbol.replace)),
    matchAll: ofString('look', Symbol.matchAll),
    search: ofString('look', Symbol.search),
    split: ofString('look', Symbol.split),
  },
}

