/** Names for emitted variables that the source does not use. */
export class Names {
  readonly table: string
  readonly #prefix: string
  #count = 0

  constructor(source: string) {
    let prefix = '$'
    while (new RegExp(`${prefix.replaceAll('$', '\\$')}(?:\\d|s\\d|dpor)`).test(source)) prefix += '$'
    this.#prefix = prefix
    this.table = `${prefix}dpor`
  }

  fresh(): string {
    return `${this.#prefix}${++this.#count}`
  }

  freshScope(): string {
    return `${this.#prefix}s${++this.#count}`
  }
}

/** A string literal. */
export const quote = (text: string): string =>
  /^[^'\\\n\r\u2028\u2029]*$/.test(text) ? `'${text}'` : JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')

/**
 * What stands around a definition so that it gets a name: `{ 'f': () => {} }['f']`. A computed key would do for `__proto__` alone: it
 * names a class even if that has a static method `name`.
 */
export const naming = (name: string): [before: string, after: string] => [`{ ${name === '__proto__' ? "['__proto__']" : quote(name)}: `, ` }[${quote(name)}]`]
