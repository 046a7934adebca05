import { Array, Number } from './intrinsics.ts'

/** What an option accepts. */
export interface Check<Value> {
  readonly accepts: (value: unknown) => value is Value
  /** The same in words, to stand behind "give" and "must be". */
  readonly words: string
}

export const trueOrFalse: Check<boolean> = {
  accepts: (value) => typeof value === 'boolean',
  words: 'true or false',
}

/** How many at most. */
export const bound: Check<number> = {
  accepts: (value): value is number => value === Infinity || isWhole(value, 1),
  words: 'a whole number of at least 1, or Infinity',
}

export const milliseconds: Check<number> = {
  accepts: (value): value is number => typeof value === 'number' && value > 0,
  words: 'a positive number of milliseconds, or Infinity',
}

export function wholeNumber({ from }: { readonly from: number }): Check<number> {
  return { accepts: (value): value is number => isWhole(value, from), words: `a whole number of at least ${from}` }
}

export function oneOf<const Value extends string>(...values: readonly Value[]): Check<Value> {
  return {
    accepts: (value): value is Value => (values as readonly unknown[]).includes(value),
    words: values
      .map((value) => `'${value}'`)
      .join(', ')
      .replace(/, (?!.*, )/, ' or '),
  }
}

/** At least one text, none of them empty. */
export function texts(words: string): Check<readonly string[]> {
  return { accepts: (value): value is readonly string[] => Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string' && one !== ''), words }
}

/** A text that `fits`. */
export function text(words: string, fits: (text: string) => boolean = () => true): Check<string> {
  return { accepts: (value): value is string => typeof value === 'string' && fits(value), words }
}

function isWhole(value: unknown, from: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= from
}
