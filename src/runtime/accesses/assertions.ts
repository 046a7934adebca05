import { Array, Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { isMap, isSet } from '../execution/brands.ts'
import { isProxy, targetOf } from '../execution/proxies.ts'
import { isBytes, lookAtSize } from './bytes.ts'
import { lookAtLength, readMembers } from './elements.ts'
import { lookAtEnumerated, lookAtInherited, lookAtPrototypes } from './inheritance.ts'
import { findProperty } from './lookup.ts'
import { isMock, lookAtMock } from './mocks.ts'
import { isObject, lookAtKeys, recordRead } from './telling.ts'
import { readDeep, readEntries } from './whole.ts'

/**
 * What assertions look at, by the name of the matcher: how many there are, which values there are, one property, which object
 * it is. What is not known by name looks at all of what it is given.
 */

/** What one matcher looks at of the value that the assertion is about, and of what it is compared with, where that is known. */
type Matcher = (execution: Execution, value: unknown, expected: readonly unknown[], site: SiteId) => void

/** Everything, as an equality does: at whatever order keys and entries stand. */
const equality: Matcher = (execution, value, expected, site) => {
  const visited = new Set<unknown>()
  for (const one of [value, ...expected]) {
    if (isMock(one)) lookAtMock(execution, one, site)
    else readDeep(execution, one, site, 'size', visited)
  }
  lookAtClasses(execution, visited, site)
}

/** Of which classes these are, and what they inherit that is enumerated: equal objects are equal in that too. */
function lookAtClasses(execution: Execution, objects: Iterable<unknown>, site: SiteId): void {
  const holders = new Set<object>()
  for (const object of objects) if (isObject(object) && !isProxy(object)) lookAtEnumerated(execution, object, site, holders)
}

/** What is thrown, or has rejected. A function has yet to be called. */
const thrown: Matcher = (execution, value, _expected, site) => {
  if (typeof value !== 'function') equality(execution, value, [], site)
}

/** Everything, in the order in which it is written down. */
const text: Matcher = (execution, value, _expected, site) => readDeep(execution, value, site)

/** Which object it is, or which primitive. */
const identity: Matcher = () => {}

const size: Matcher = (execution, given, _expected, site) => {
  const value = subjectOf(given)
  if (value === undefined) return equality(execution, given, [], site)
  if (Array.isArray(value)) lookAtLength(execution, value, site)
  else if (isBytes(value)) lookAtSize(execution, value, site)
  else if (isObject(value)) {
    lookAtKeys(execution, value, site, 'size')
    if (!isMap(value) && !isSet(value)) lookAtProperty(execution, value, 'length', site)
  }
}

/** Which values there are, at whatever place. */
const members: Matcher = (execution, given, expected, site) => {
  const value = subjectOf(given)
  if (Array.isArray(value)) readMembers(execution, value, site)
  else if (isObject(value) && isSet(value)) readEntries(execution, value, site, 'size')
  else equality(execution, given, [], site)
  for (const one of expected) if (Array.isArray(one)) members(execution, one, [], site)
}

/** Which values there are that equal another. */
const equalMembers: Matcher = (execution, given, expected, site) => {
  members(execution, given, [], site)
  const value = subjectOf(given)
  const inner = (one: unknown): void => equality(execution, one, [], site)
  if (Array.isArray(value)) Array.prototype.forEach.call(value, inner)
  else if (isObject(value) && isSet(value)) Set.prototype.forEach.call(value, inner)
  equality(execution, undefined, expected, site)
}

const instance: Matcher = (execution, given, _expected, site) => {
  const value = subjectOf(given)
  if (isObject(value)) lookAtPrototypes(execution, value, site)
}

const howManyCalls: Matcher = (execution, value, _expected, site) => {
  if (isMock(value)) lookAtMock(execution, value, site, 'size')
  else equality(execution, value, [], site)
}

/** One property, by its name or the path to it. */
const property: Matcher = (execution, given, [path, ...expected], site) => {
  const segments = segmentsOf(given, path)
  if (!segments) return equality(execution, given, expected, site)
  let value = given
  for (const segment of segments) {
    const object = subjectOf(value)
    if (!isObject(object) || !lookAtProperty(execution, object, segment, site)) return equality(execution, value, expected, site)
    value = (object as Record<PropertyKey, unknown>)[segment]
  }
  if (expected.length > 0) equality(execution, value, expected, site)
}

/** The parts of a path, unless finding out would run code of the user's. A property of that very name comes first. */
function segmentsOf(given: unknown, path: unknown): readonly PropertyKey[] | undefined {
  if (Array.isArray(path)) return path.every((part) => typeof part === 'string' || typeof part === 'number') ? path.map(String) : undefined
  if (typeof path === 'symbol' || typeof path === 'number') return [path]
  if (typeof path !== 'string') return undefined
  const object = subjectOf(given)
  if (isObject(object) && Object.hasOwn(object, path)) return [path]
  return path.split(/[.[\]]+/).filter((part) => part !== '')
}

/** Looks at a property; false where an accessor would have to run for its value. */
function lookAtProperty(execution: Execution, object: object, name: PropertyKey, site: SiteId): boolean {
  if ((isMap(object) || isSet(object)) && name === 'size') {
    lookAtKeys(execution, object, site, 'size')
    return true
  }
  const found = findProperty(object, name)
  if (found && !('value' in found.own)) return false
  recordRead(execution, object, name, site, found?.own.value)
  if (found?.holder !== object) lookAtInherited(execution, object, name, site)
  return true
}

/** The properties that a plain object names, and those that they name in turn. */
const subset: Matcher = (execution, given, expected, site) => lookAtSubset(execution, given, expected[0], site, new Set())

function lookAtSubset(execution: Execution, given: unknown, pattern: unknown, site: SiteId, visited: Set<unknown>): void {
  if (!isObject(pattern)) return
  const value = subjectOf(given)
  if (!isPlain(pattern) || !isObject(value) || visited.has(pattern)) return equality(execution, given, [pattern], site)
  visited.add(pattern)
  for (const key of Reflect.ownKeys(pattern)) {
    const own = Reflect.getOwnPropertyDescriptor(pattern, key)!
    if (!('value' in own) || !lookAtProperty(execution, value, key, site)) return equality(execution, given, [pattern], site)
    recordRead(execution, pattern, key, site, own.value)
    lookAtSubset(execution, (value as Record<PropertyKey, unknown>)[key], own.value, site, visited)
  }
  lookAtKeys(execution, pattern, site, 'size')
}

function isPlain(object: object): boolean {
  if (isProxy(object)) return false
  const prototype: unknown = Reflect.getPrototypeOf(object)
  return prototype === null || prototype === Object.prototype
}

/** The object behind a Proxy; undefined where nobody knows it. */
function subjectOf(value: unknown): unknown {
  return isObject(value) && isProxy(value) ? targetOf(value) : value
}

const named = (matcher: Matcher, ...names: string[]): [string, Matcher][] => names.map((name) => [name, matcher])

const throwing = ['toThrow', 'toThrowError', 'throw', 'throws', 'toThrowErrorMatchingSnapshot', 'toThrowErrorMatchingInlineSnapshot', 'assert.throws', 'assert.doesNotThrow']

/** Whether the matcher calls the function that it is given, to see what that throws. */
export function isAboutThrown(name: string | undefined): boolean {
  return name !== undefined && throwing.includes(name)
}

const matchers = new Map<string, Matcher>([
  ...named(
    identity, 'toBe', 'toBeDefined', 'toBeUndefined', 'toBeNull', 'toBeNullable', 'toBeTruthy', 'toBeFalsy', 'toBeNaN', 'toBeTypeOf', 'toBeGreaterThan',
    'toBeGreaterThanOrEqual', 'toBeLessThan', 'toBeLessThanOrEqual', 'toBeCloseTo', 'a', 'an', 'ok', 'exist', 'exists', 'true',
    'false', 'null', 'undefined', 'NaN', 'equal', 'equals', 'eq',
    ...['', '.isOk', '.isNotOk', '.ok', '.notOk', '.equal', '.notEqual', '.strictEqual', '.notStrictEqual', '.isTrue', '.isFalse', '.isNotTrue', '.isNotFalse',
      '.isNull', '.isNotNull', '.isUndefined', '.isDefined', '.exists', '.notExists', '.isNaN', '.isNotNaN', '.isFunction', '.isObject', '.isArray', '.isNotArray',
      '.isString', '.isNumber', '.isBoolean', '.typeOf', '.isAbove', '.isBelow', '.isAtLeast', '.isAtMost'].map((name) => `assert${name}`),
  ),
  ...named(thrown, ...throwing),
  ...named(size, 'toHaveLength', 'lengthOf', 'length', 'empty', 'assert.lengthOf', 'assert.isEmpty', 'assert.isNotEmpty'),
  ...named(members, 'toContain', 'include', 'includes', 'contain', 'contains', 'members', 'assert.include', 'assert.notInclude', 'assert.sameMembers', 'assert.notSameMembers', 'assert.includeMembers', 'assert.notIncludeMembers'),
  ...named(equalMembers, 'toContainEqual'),
  ...named(instance, 'toBeInstanceOf', 'instanceof', 'instanceOf', 'assert.instanceOf', 'assert.notInstanceOf'),
  ...named(property, 'toHaveProperty', 'property', 'assert.property', 'assert.notProperty', 'assert.propertyVal', 'assert.notPropertyVal', 'assert.nestedProperty', 'assert.nestedPropertyVal'),
  ...named(subset, 'toMatchObject'),
  ...named(howManyCalls, 'toHaveBeenCalled', 'toHaveBeenCalledOnce', 'toHaveBeenCalledTimes', 'toHaveBeenCalledWith', 'toHaveReturned', 'toHaveReturnedTimes', 'toHaveReturnedWith', 'toBeCalled', 'toBeCalledTimes', 'toBeCalledWith', 'toReturn', 'toReturnTimes', 'toReturnWith'),
  ...named(text, 'toMatchSnapshot', 'toMatchInlineSnapshot', 'toMatchFileSnapshot'),
])

/** What matchers look at that need to know what the value is compared with. */
const comparing = new Set<Matcher>([property, subset])

/** An assertion is about to be made by the matcher of this name. `expected` is left out where only the value is known. */
export function lookByMatcher(execution: Execution, name: string | undefined, given: { readonly value: unknown; readonly expected?: readonly unknown[] }, site: SiteId): void {
  const matcher = matchers.get(name ?? '') ?? equality
  const known = given.expected === undefined && comparing.has(matcher) ? equality : matcher
  known(execution, given.value, given.expected ?? [], site)
}

/** An assertion by an unknown way looks at all of what it is given. */
export function lookAtArguments(execution: Execution, args: readonly unknown[], site: SiteId): void {
  equality(execution, undefined, args, site)
}
