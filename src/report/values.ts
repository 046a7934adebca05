import type { InputValue } from './input.ts'

/** What shown values say of themselves. */

const absent = new Set(['undefined', 'null', 'false', '0', '0n', '""', '[]', 'Map(0)', 'Set(0)'])

/** A value that means "nothing there". */
export function isAbsent({ text, type }: InputValue): boolean {
  return type !== 'function' && type !== 'symbol' && absent.has(text)
}

/** There is no value at all. */
export function isNothing({ type }: InputValue): boolean {
  return type === 'undefined' || type === 'null'
}

/** Certainly the same value: of two objects that look the same nothing is known, unless they are one. */
export function isSame(value: InputValue, other: InputValue): boolean {
  if (value.type !== other.type) return false
  if (value.type === 'object' || value.type === 'function') return value.identity !== undefined && value.identity === other.identity
  return wholeOf(value) === wholeOf(other) && !isCut(value)
}

/** As far as a reader can tell: two objects that do not show all that is in them are two. */
export function looksSame(value: InputValue, other: InputValue): boolean {
  return value.type === other.type && (value.type === 'string' ? wholeOf(value) === wholeOf(other) : value.text === other.text) && !(hidesPart(value) && areTwo(value, other))
}

/** `[Account]`, `[2 items]`, `Map(2)`, `{"lines":{…}}` */
const hidesPart = ({ type, text }: InputValue): boolean => type === 'object' && /\[[A-Z]\w*\]|\[\d+ items?\]|[A-Z]\w*\(\d+\)|\u2026/.test(text)

/** Two objects, whatever they look like. */
export const areTwo = ({ identity }: InputValue, other: InputValue): boolean => identity !== undefined && other.identity !== undefined && identity !== other.identity

/** Objects that show nothing of what is in them, and have no name by which they could be known in another execution: their numbers are of one execution alone. */
export const areUnnamed = (one: InputValue, other: InputValue): boolean => one.text === other.text && hidesPart(one) && hidesPart(other) && isUnnamed(one) && isUnnamed(other)

const isUnnamed = ({ identity }: InputValue): boolean => identity !== undefined && identity < 0

/** A function is a method that was looked up, or a callback. */
export function isFunction({ type }: InputValue): boolean {
  return type === 'function'
}

/** May the written value have been made from the read one? A flag or a status is replaced, not changed. */
export function mayDeriveFrom(written: InputValue, read: InputValue): boolean {
  if (written.type !== read.type) return false
  switch (read.type) {
    case 'number':
    case 'bigint':
      return true
    case 'object':
      return !isPromise(written)
    case 'string':
      return hasIn(written, read) || areTextsOfData(contentOf(written), contentOf(read))
    default:
      return false
  }
}

/** Of two texts: the one is a part of the other. */
export function hasIn(whole: InputValue, part: InputValue): boolean {
  return contentOf(part) !== '' && contentOf(whole).includes(contentOf(part))
}

/** Numbers, objects or arrays as a file holds them. */
function areTextsOfData(one: string, other: string): boolean {
  return [/^-?\d+(?:\.\d+)?\s*$/, /^\s*\{/, /^\s*\[/].some((form) => form.test(one) && form.test(other))
}

/** Of a string, as far as it is shown. */
function contentOf(value: InputValue): string {
  return wholeOf(value).replace(/^["']/, '').replace(/["'\u2026]$/, '')
}

/** One that is kept says what is under way. */
export const isPromise = ({ text }: InputValue): boolean => text === '[Promise]'

const isCut = (value: InputValue): boolean => wholeOf(value).endsWith('…')

/** As much as is known of it. */
export const wholeOf = ({ text, whole }: InputValue): string => whole ?? text
