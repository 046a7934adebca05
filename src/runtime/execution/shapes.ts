/** The data that emitted code hands to the runtime. */

/**
 * One place in the source: line from 1, column from 1, and the expression as it is written, cut to 60 characters. Where an
 * object is made, also the name of the variable or property that it is made for.
 */
export type Place = readonly [line: number, column: number, text: string, name?: string]

/** Of sloppy code: the places in functions and classes that are strict, as [first, end]. Of code that turned out to be strict: undefined. */
export type StrictParts = readonly (readonly [first: number, end: number])[] | undefined

/** What a file imports from a package: its values, once they are there. */
export type Import = readonly [specifier: string, values: () => readonly unknown[]]

/** A variable that a file exports under a name and changes, or a name under which it exports what it imports under another. */
export type Export = readonly [name: string, file: string, variable: string] | readonly [name: string, imported: string]

/** Identity of one instance of a lexical scope that has captured and reassigned variables. */
export interface Scope {
  readonly scope: unknown
}

/**
 * What an object pattern reads, property by property in order.
 * `['p', site]` a named property, with a third element where the value is itself destructured;
 * `null` stands for a key that is not known before it runs (computed), or for an object rest.
 */
export type PatternShape = readonly (readonly [key: string, site: number, nested?: PatternShape | Elements] | null)[]

/** What is taken apart of the values that an iteration yields: of each in a loop, position by position in an array pattern. */
export interface Elements {
  readonly site: number
  readonly each?: PatternShape | Elements
  readonly items?: readonly (PatternShape | Elements | null)[]
}

/** A property that is about to be assigned, with what it was. */
export interface FoundProperty {
  readonly object: any
  readonly key: any
  readonly site: number
  readonly old: any
}

/** A property to which something is about to be added. */
export interface FoundNumber extends FoundProperty {
  readonly sign: 1 | -1
  /** It is a location with a value. */
  readonly isPlace: boolean
  /** What it holds, if that is a number which can be written. */
  readonly found: number | undefined
}

/** Instruments a script whose places have this name; undefined where it has to stay as it is. */
export type InstrumentText = (script: string, name: string) => string | undefined

/**
 * Where a function may keep a state, by its text: outside of it, where others may use it too; in what each call of it makes, which is then apart from what others make; or nowhere: there is
 * no other function in it.
 */
export type FunctionState = 'shared' | 'own' | 'none'

/** What the plugin knows of texts of functions. */
export interface Texts {
  /** Of those that become functions, `new Function(text)`. */
  readonly instrument: InstrumentText
  /** Where the function keeps a state. */
  stateOf(text: string): FunctionState
  /** The text of a function or class as it was written, from that of what it has become; undefined where that cannot be said. */
  written(text: string): string | undefined
}
