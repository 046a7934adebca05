/**
 * What instrumented code calls. The plugin rewrites source to calls on one global object, `__dpor`;
 * this file is the only thing the plugin knows about the runtime. Outside an exploration every call
 * does exactly what the original expression did (see `inert.ts`).
 *
 * `site` is `$dpor + n`: `$dpor` is the number that `file()` returned for the file and `n` the
 * index of the place in the file's table. Before the file's first statement has run (code hoisted
 * by `vi.mock` and `vi.hoisted`) it is NaN, which every function takes as "place unknown".
 */
export const globalName = '__dpor'

/** One place in the source: line from 1, column from 1, and the expression as it is written, cut to 60 characters. */
export type Place = readonly [line: number, column: number, text: string]

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

export interface Emitted {
  /**
   * `var $dpor = __dpor.file('src/a.ts', [[1, 5, 'a.b'], ...])`, before the first statement, on its line.
   * @param name the file's absolute path, as Vite names it, without query
   */
  file(name: string, places: readonly Place[]): number

  // Objects ---------------------------------------------------------------------------------

  /**
   * `{...}`, `[...]` and other expressions that make an object: gives it an identity. Returns it.
   * Also rest parameters and the rest elements of patterns, as a statement or an initialiser: `made(args, site)`.
   */
  made<T>(value: T, site: number): T
  /**
   * `f(a)` -> `entered(f(a), f)`: a generator gets an identity from the step that made it; the call of a mock changes the mock.
   * `callee` only where it is a name. Returns value.
   */
  entered<T>(value: T, callee?: unknown): T
  /** `expect(a)` -> `expect(look(a, site))`: code that is not instrumented is about to look at all of it. Returns value. */
  look<T>(value: T, site: number): T
  /** `${a}` -> `${text(a, site)}`: an array about to become text. Returns value. */
  text<T>(value: T, site: number): T
  /** `new C(a)` -> `construct(C, site, [a])`. */
  construct(constructor: unknown, site: number, args: unknown[]): unknown
  /** `o.p`, `o[k]`. */
  get(object: any, key: any, site: number): any
  /** `o.p = v`. Returns v. */
  set(object: any, key: any, value: any, site: number): any
  /** `o.p += v` -> `update(o, 'p', site, ($0) => $0 + v)`. Returns the new value. */
  update(object: any, key: any, site: number, next: (old: any) => any): any
  /** `o.p ??= v` -> `assignIf(o, 'p', site, '??', () => v)`. Assigns only if the operator says so; returns the expression's value. */
  assignIf(object: any, key: any, site: number, operator: '??' | '||' | '&&', value: () => any): any
  /** `o.p++` -> `increment(o, 'p', site, 1, false)`; `prefix` true returns the new value, false the old one (numeric). BigInt as well. */
  increment(object: any, key: any, site: number, by: 1 | -1, prefix: boolean): any
  /** `delete o.p`. */
  remove(object: any, key: any, site: number): boolean
  /** `k in o`, in the order of the source. */
  has(key: any, object: any, site: number): boolean
  /**
   * `o.m(a, ...b)` -> `call(o, 'm', site, [a, ...iterate(b)])`. Evaluates `o.m`, then calls it on o.
   * The arguments are an array literal, evaluated before the method is looked up; the difference to
   * the original order shows only when an argument replaces the method.
   */
  call(object: any, key: any, site: number, args: unknown[]): any
  /**
   * `o.m?.(a)` -> `callIf(o, 'm', site, () => [a])`: undefined when the method is null or undefined.
   * When the chain goes on, `rest` is called with the result: `o.m?.(a).p` -> `callIf(o, 'm', site, () => [a], ($1) => get($1, 'p', site))`.
   */
  callIf(object: any, key: any, site: number, args: () => unknown[], rest?: (result: any) => any): any
  /** `o?.p` and longer chains -> `optional(o, ($0) => get($0, 'p', site))`: undefined when o is null or undefined. */
  optional(object: any, rest: (object: any) => any): any
  /** Evaluates `value` once for an expression that needs it several times: `rest(value)`. */
  given<T, R>(value: T, rest: (value: T) => R): R
  /** A place to assign to, inside patterns: `[o.p] = x` -> `[reference(o, 'p', site).value] = x`. Also `for (o.p of ...)`. */
  reference(object: any, key: any, site: number): { value: any }
  /** A read of a private field whose value is `value`: `o.#p` -> `privateGet(o, '#p', site, o.#p)`. Returns value. */
  privateGet(object: any, key: string, site: number, value: any): any
  /**
   * A write of a private field: `o.#p = v` -> `o.#p = privateSet(o, '#p', site, o.#p, v, ($0) => { o.#p = $0 })`. Returns v.
   * `restore` puts a value back when an execution is undone. A compound assignment reads with privateGet first.
   */
  privateSet(object: any, key: string, site: number, old: any, value: any, restore: (value: any) => void): any
  /** `o.#p++` -> `(privateIncrements(o, '#p', site, o.#p, 1, ($1) => { o.#p = $1 }), o.#p++)`: a read and a write, before it happens. */
  privateIncrements(object: any, key: string, site: number, old: any, by: 1 | -1, restore: (value: any) => void): void
  /** A private field inside patterns: `[o.#p] = v` -> `[privateReference(o, '#p', site, () => o.#p, ($1) => { o.#p = $1 }).value] = v`. */
  privateReference(object: any, key: string, site: number, get: () => any, set: (value: any) => void): { value: any }
  /** The value about to be taken apart by an object pattern: `const { a, b } = v` -> `const { a, b } = pattern(v, [['a', s], ['b', s]])`. Returns v, which may be null or undefined (parameters with a default). */
  pattern<T>(value: T, shape: PatternShape): T
  /**
   * What `for...of`, spread in arrays and calls, and array patterns iterate over: `[...x]` -> `[...iterate(x, site)]`.
   * `elements` where what it yields is itself taken apart: `for (const { id } of xs)`, `const [{ id }] = xs`.
   */
  iterate<T>(iterable: T, site: number, elements?: Elements): T
  /** What `for...in`, object spread and object rest enumerate: `{ ...x }` -> `{ ...enumerate(x, site) }`. Returns x. */
  enumerate<T>(object: T, site: number): T

  // Variables that a closure captures and that are reassigned --------------------------------

  /** At the top of the block or function body that declares them: `const $s1 = __dpor.scope()`. For module scope, instead of an object the file's name is passed below. */
  scope(): Scope
  /** `x` -> `read($s1, 'x', site, x)`. Returns value. */
  read(scope: Scope | string, name: string, site: number, value: any): any
  /** `x = v` -> `x = write($s1, 'x', site, x, v, ($0) => { x = $0 })`. Returns v. `x += v` passes `read(...) + v`. */
  write(scope: Scope | string, name: string, site: number, old: any, value: any, restore: (value: any) => void): any
  /** `x++` -> `(increments($s1, 'x', site, x, 1, ($0) => { x = $0 }), x++)`: a read and a write, before it happens. */
  increments(scope: Scope | string, name: string, site: number, old: any, by: 1 | -1, restore: (value: any) => void): void
  /** Inside patterns: `[x] = v` -> `[variable($s1, 'x', site, () => x, ($0) => { x = $0 }).value] = v`. */
  variable(scope: Scope | string, name: string, site: number, get: () => any, set: (value: any) => void): { value: any }

  // Control ---------------------------------------------------------------------------------

  /** `async f(a) { body }` -> `f(a) { return run(async () => { body }, 'f', site) }`. `name` is what a reader calls the function. */
  run<T>(body: () => Promise<T>, name: string, site: number): Promise<T>
  /**
   * `return e` in an async function -> `return returned(e)`, and `async () => e` -> `() => run(async () => returned(e), ...)`;
   * not in async generators. A returned promise is then followed by the runtime and not by the engine. Literals need no call.
   */
  returned<T>(value: T): T
  /** `await e` -> `await suspend(e, site)`. */
  suspend<T>(value: T, site: number): T
  /** `async *f(a) { body }` -> `f(a) { return generate((async function* () { body }).call(this), 'f', site) }` (see the plugin for `arguments` and `super`). */
  generate<T>(generator: AsyncGenerator<T>, name: string, site: number): AsyncGenerator<T>
  /** `for await (x of e)` -> `for await (x of iterateAsync(e, site))`. */
  iterateAsync<T>(iterable: T, site: number, elements?: Elements): T
}

declare global {
  // oxlint-disable-next-line no-var
  var __dpor: Emitted | undefined
}
