import type { AsyncMethods } from '../execution/asynchronous.ts'
import type { Elements, Export, FoundNumber, FoundProperty, Import, PatternShape, Scope, StrictParts } from '../execution/shapes.ts'

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

/**
 * Whether anything is being explored: a property of the global object, true from the beginning of an exploration to its end. Emitted code
 * asks it before it calls the runtime: `o.p` -> `(__dporOn ? __dpor.get(o, 'p', site) : o.p)`. Below stands what it does then.
 */
export const exploringName = '__dporOn'

/**
 * Where an exploration may follow in this thread, so that objects made outside need names: how often each place has made one; else null.
 * `{}` -> `(__dporOn || __dporNames && !(__dporNames[site]++ >= 250) ? __dpor.made({}, site) : {})`.
 */
export const namingName = '__dporNames'

/** On the global object where it is true of a test file: nothing in it speaks of a test that waits for anything. */
export const allAtOnce = Symbol.for('vitest-dpor: all tests seem to be over at once')

/** On the global object what was kept of a test file, where all its tests have held the last time and nothing has changed since. */
export const allHeld = Symbol.for('vitest-dpor: all tests have held the last time')

/**
 * Who knows of the texts of functions (`Texts`), under this name on the global object.
 */
export const knowsTexts = Symbol.for('vitest-dpor: knows texts')

export type { Elements, Export, FunctionState, Import, InstrumentText, PatternShape, Place, Scope, Texts } from '../execution/shapes.ts'

/** A method that is about to be called, once its arguments have been evaluated. */
export interface FoundMethod {
  readonly object: any
  readonly key: any
  readonly fn: unknown
  readonly site: number
}

export interface Emitted {
  /**
   * `var $dpor = __dpor.file('src/a.ts', '[[1,5,"a.b"],...]', 12)`, before the first statement, on its line.
   * @param name the file's absolute path, as Vite names it, without query
   * @param places the table of its places (`Place[]`), as one text: other tools would go through it node by node
   * @param count how many there are
   * @param imports what the file uses of packages, that need not be there yet: `[['lodash', () => [_]]]`
   * @param exports variables that it exports and changes: `[['total', '/src/a.ts', 'n'], ['sum', 'total']]`
   * @param assigned names of properties that it assigns, but for what constructors give their objects
   * @param strictParts of sloppy code: the places in what is strict there, as [first, end]
   */
  file(name: string, places: string, count: number, imports?: readonly Import[], exports?: readonly Export[], assigned?: readonly string[], strictParts?: StrictParts): number

  /** Not of emitted code: what loads packages says that one stays as it is. */
  left(packageName: string): void

  /** Of a package that stays as it is: what its variables are, and what puts them back. `var next = 1` -> `;__dpor.keeps(() => [next], ($dpor0) => { next = $dpor0 });` at the end. @param holders of lists that stay what they are */
  keeps(get: () => readonly unknown[], set: (...values: readonly any[]) => void, holders?: () => readonly unknown[]): void

  /** Of a file of a package that talks to a database: what it exports. `module.exports = Client` -> `;__dpor.connects('pg/lib/client.js', module.exports)` at the end. */
  connects(file: string, exported: unknown): void

  /** The only call in a file that stays as it is while others are instrumented: it has been loaded. */
  aside(file: string): void

  /** Not of emitted code: what loads packages runs the code of a module, which is run once, whoever asks for it first. That belongs to no step. */
  loads<T>(run: () => T): T

  /**
   * `test('a', () => { ... })`, with a function that is not async and returns nothing -> `defined(defining(), test('a', () => { ... }))`: who wants to know of
   * such tests (`definitions.ts`) is asked before it is defined, and what that gives is called after.
   */
  defining(): (() => void) | undefined
  defined(end: (() => void) | undefined, definition: unknown): void

  // Objects ---------------------------------------------------------------------------------

  /**
   * `{...}`, `[...]` and other expressions that make an object: gives it an identity. Returns it.
   * `methods`: those of an object that stand for async ones, `{ async m() {}, async *g() {} }` -> `[['m'], ['g', true]]`.
   * Also rest parameters and the rest elements of patterns, as a statement or an initialiser: `made(args, site)`.
   */
  made<T>(value: T, site: number, methods?: AsyncMethods): T
  /**
   * `f(a)` -> `callee(f, site)(a)`: outside an exploration, and for functions whose own code tells what it does, f itself; else
   * a function that calls f so that what it does is seen. What is no function throws when it is called, with the original's error.
   */
  callee(fn: any, site: number, unused?: true): (...args: any[]) => any
  /** The tag of a template: o.t`x` -> method(o, 't', site)`x`. */
  method(object: any, key: any, site: number): (...args: any[]) => any
  /** Calls a function on a receiver that the source names otherwise: `o.#f(a)` -> `invoke(o.#f, o, site, [a])`. */
  invoke(fn: any, receiver: any, site: number, args: unknown[], unused?: true): any
  /**
   * `expect(a).toHaveLength(2)` -> `expect(look(a, site, 'toHaveLength')).toHaveLength(2)`: an assertion is about to look at it, at
   * what its matcher looks at; without a name, at all of it. With `settled` at what the promise settles with, when it has:
   * `expect(p).resolves.toEqual(b)`. Returns value, or a promise that is settled as it is.
   */
  look<T>(value: T, site: number, matcher?: string, settled?: true): T
  /**
   * The arguments of an assertion, which is about to look at `given` and at them: `assert.equal(a, b)` ->
   * `assert.equal(...asserted('assert.equal', site, [], [a, b]))`, and `expect(a).toMatchObject(b)` ->
   * `given(a, ($1) => expect($1).toMatchObject(...asserted('toMatchObject', site, [$1], [b])))`. Returns args.
   */
  asserted(matcher: string, site: number, given: readonly unknown[], args: unknown[]): unknown[]
  /**
   * An assertion on what a promise settles with, which somebody waits for: `await expect(p).resolves.toBe(a)` ->
   * `settles(expect(look(p, ...)).resolves.toBe(a), site)`. Returns it, or a promise in its place.
   */
  settles<T>(assertion: T, site: number): T
  /**
   * `${a}` -> `${coerced(a, site)}`, `a < b` -> `coerced(a, site) < coerced(b, site)`: an object about to become text or a number.
   * `also` is another one: `a + await b` -> `($1 = a) + coerced(await b, site, $1)`. Returns value.
   */
  coerced<T>(value: T, site: number, also?: unknown): T
  /** A function or class that is not only called: gives it an identity. Returns it. */
  closure<T>(fn: T): T
  /** `class A extends f` -> `class A extends base(f)` where f is declared as an async function: these are no base. */
  base<T>(value: T): T
  /** In what stands for an async function, where it is called with `new`: `new.target && noConstructor('f')`. Throws. */
  noConstructor(name: string): never
  /** `new C(a)` -> `construct(C, site, [a])`. */
  construct(constructor: unknown, site: number, args: unknown[]): unknown
  /** `o.p`, `o[k]`. */
  get(object: any, key: any, site: number): any
  /** `o.p = v`. Returns v. */
  set(object: any, key: any, value: any, site: number): any
  /** `o.p ??= v` -> `(($1 = reading(o, 'p', site)).old ?? assigned($1, v))`, `o.p *= v` -> `assigned($1 = reading(o, 'p', site), $1.old * v)`. */
  reading(object: any, key: any, site: number): FoundProperty
  /** Returns value. */
  assigned(found: FoundProperty, value: any): any
  /** The same where no variable can be declared: `o.p += v` -> `update(o, 'p', site, ($0) => $0 + v)`. Returns the new value. */
  update(object: any, key: any, site: number, next: (old: any) => any): any
  /** `o.p ??= v` -> `assignIf(o, 'p', site, '??', () => v)`. Assigns only if the operator says so; returns the expression's value. */
  assignIf(object: any, key: any, site: number, operator: '??' | '||' | '&&', value: () => any): any
  /**
   * `o.p++` -> `increment(o, 'p', site, 1, false)`; `prefix` true returns the new value, false the old one (numeric). BigInt as well.
   * `unused`, here and below: nothing sees the result.
   */
  increment(object: any, key: any, site: number, by: 1 | -1, prefix: boolean, unused?: true): any
  /** `o.p += v`, where nothing sees the result -> `increased(increasing(o, 'p', site, 1), (v))`; `sign` -1 is `-=`. The property is read before the operand. */
  increasing(object: any, key: any, site: number, sign: 1 | -1): FoundNumber
  increased(found: FoundNumber, operand: any): void
  /** `delete o.p`. */
  remove(object: any, key: any, site: number): boolean
  /** `k in o`, in the order of the source. */
  has(key: any, object: any, site: number): boolean
  /** `v instanceof C`. */
  instanceOf(value: any, type: any, site: number): boolean
  /**
   * `o.m(1, ...b)` -> `call(o, 'm', site, [1, ...iterate(b)])`. Evaluates `o.m`, then calls it on o. The arguments are evaluated
   * before the method is looked up, which nobody can tell where they neither do anything nor throw.
   */
  call(object: any, key: any, site: number, args: unknown[], unused?: true): any
  /** `o.m(f())` -> `callFound(found(o, 'm', site), [f()])`: the method is looked up before the arguments are evaluated. */
  found(object: any, key: any, site: number): FoundMethod
  callFound(found: FoundMethod, args: unknown[], unused?: true): any
  /**
   * `o.m?.(a)` -> `callIf(o, 'm', site, () => [a])`: undefined when the method is null or undefined.
   * When the chain goes on, `rest` is called with the result: `o.m?.(a).p` -> `callIf(o, 'm', site, () => [a], ($1) => get($1, 'p', site))`.
   */
  callIf(object: any, key: any, site: number, args: () => unknown[], rest?: (result: any) => any, unused?: true): any
  /** `o?.p` and longer chains -> `optional(o, ($0) => get($0, 'p', site))`: undefined when o is null or undefined. */
  optional(object: any, rest: (object: any) => any): any
  /** Evaluates `value` once for an expression that needs it several times: `rest(value)`. */
  given<T, R>(value: T, rest: (value: T) => R): R
  /** A place to assign to, inside patterns: `[o.p] = x` -> `[reference(o, 'p', site).value] = x`. Also `for (o.p of ...)`. */
  reference(object: any, key: any, site: number): { value: any }
  /** `catch (e) { ... }` -> `catch (e) { caught(e); ... }`: what the platform throws is named where it is caught. */
  caught(error: unknown): void
  /** `super.p` -> `superGet(this, 'p', superLook(this, 'p', site), super['p'])`. Returns value. `super.m(a)` -> `invoke(superGet(...), this, site, [a])`. */
  superGet(receiver: any, key: any, site: number, value: any): any
  /** `f('name', ({ a }) => body)` -> `f('name', showing(($1) => ..., '({ a }) => {}'))`: Vitest reads the names of fixtures from the text of a test. Returns fn. */
  showing<T extends object>(fn: T, text: string): T
  /** The key of `super[k]`, which becomes one once, before it is used several times. */
  superKey(key: any): any
  /** Before `super.p` is read, which may call a getter. Returns site. */
  superLook(receiver: any, key: any, site: number): number
  /** `super.p = v` -> `superSet(this, 'p', site, v, ($1, $2) => super[$1] = $2)`. Returns v. `super.p += v` passes `superGet(...) + v`. */
  superSet(receiver: any, key: any, site: number, value: any, assign: (key: any, value: any) => void): any
  /** `super.p++` -> `superIncrement(this, 'p', site, superGet(...), 1, false, ($1, $2) => super[$1] = $2)`. */
  superIncrement(receiver: any, key: any, site: number, old: any, by: 1 | -1, prefix: boolean, assign: (key: any, value: any) => void): any
  /** `super.p` inside patterns: `[super.p] = v` -> `[superReference(this, 'p', site, ($1, $2) => super[$1] = $2).value] = v`. */
  superReference(receiver: any, key: any, site: number, assign: (key: any, value: any) => void): { value: any }
  /** A read of a private field whose value is `value`: `o.#p` -> `privateGet(o, '#p', site, o.#p)`. Returns value. */
  privateGet(object: any, key: string, site: number, value: any): any
  /**
   * A write of a private field: `o.#p = v` -> `o.#p = privateSet(o, '#p', site, ($1) => $1.#p, v, ($1, $2) => { $1.#p = $2 })`. Returns v.
   * Where the object has no such field the assignment itself throws, once there is the value.
   * `restore` puts a value back into an object when an execution is undone. A compound assignment reads with privateGet first.
   */
  privateSet(object: any, key: string, site: number, find: (object: any) => any, value: any, restore: (object: any, value: any) => void): any
  /** `o.#p++` -> `(privateIncrements(o, '#p', site, o.#p, 1, ($1, $2) => { $1.#p = $2 }), o.#p++)`: a read and a write, before it happens. */
  privateIncrements(object: any, key: string, site: number, old: any, by: 1 | -1, restore: (object: any, value: any) => void, unused?: true): void
  /** `o.#p += v`, where nothing sees the result -> `o.#p = privateIncreases(o, '#p', site, o.#p, 1, (v), ($1, $2) => { $1.#p = $2 })`. Returns the new value. */
  privateIncreases(object: any, key: string, site: number, old: any, sign: 1 | -1, operand: any, restore: (object: any, value: any) => void): any
  /** A private field inside patterns: `[o.#p] = v` -> `[privateReference(o, '#p', site, () => o.#p, ($1) => { o.#p = $1 }).value] = v`. */
  privateReference(object: any, key: string, site: number, get: () => any, set: (value: any) => void): { value: any }
  /**
   * A class that extends another has private members, and the constructor of the other may return any object: that has them from now on.
   * `class C extends B { #p = 1 }` -> `class C extends B { #$1 = privatesGiven(this, ['#p'], site); #p = 1 }`.
   */
  privatesGiven(object: any, keys: readonly string[], site: number): void
  /** Before a private member of such a class is used, which throws where the object lacks it: `o.#p` -> `privateGet(o, '#p', privateLook(o, '#p', site), o.#p)`. Returns site. */
  privateLook(object: any, key: string, site: number): number
  /** `#p in o` -> `privateHas(o, '#p', site, #p in o)`. Returns isThere. */
  privateHas(object: any, key: string, site: number, isThere: boolean): boolean
  /** The value about to be taken apart by an object pattern: `const { a, b } = v` -> `const { a, b } = pattern(v, [['a', s], ['b', s]])`. Returns v, which may be null or undefined (parameters with a default). */
  pattern<T>(value: T, shape: PatternShape): T
  /**
   * What `for...of`, spread in arrays and calls, and array patterns iterate over: `[...x]` -> `[...iterate(x, site)]`.
   * `elements` where what it yields is itself taken apart: `for (const { id } of xs)`, `const [{ id }] = xs`.
   */
  iterate<T>(iterable: T, site: number, elements?: Elements): T
  /** What stands in the place of iterate, iterateAsync and pattern outside an exploration, and throws the original's error. Returns value. */
  iterable<T>(value: T, site: number): T
  asyncIterable<T>(value: T, site: number): T
  taken<T>(value: T, key: string | null, site?: number): T
  /**
   * What object spread and object rest enumerate: `{ ...x }` -> `{ ...enumerate(x, site) }`; with `inherited`, what `for...in` does.
   * Returns x.
   */
  enumerate<T>(object: T, site: number, inherited?: true): T

  // Variables that a closure captures and that are reassigned --------------------------------

  /** Whether somebody has put another value in the place of one of the platform's in this exploration. */
  readonly isReplaced: boolean
  /**
   * `Math.max(a)` -> `(__dpor.isReplaced && __dpor.builtIn(Math, 'max', site, true), Math.max(a))`, and the same without `called` of
   * what is only read: tells of the look, and of the call of a function that does not tell by itself.
   */
  builtIn(object: object, key: PropertyKey, site: number, called?: true): void

  /** At the top of the block or function body that declares them: `let $s1 = __dporOn ? __dpor.scope() : void 0`. For module scope, instead of an object the file's name is passed below. */
  scope(): Scope
  /** The identity of a scope that began before the exploration: `read($s1 ??= older(), 'x', site, x)`. */
  older(): Scope
  /** `x` -> `read($s1, 'x', site, x)`. Returns value. */
  read(scope: Scope | string, name: string, site: number, value: any): any
  /** `x = v` -> `x = write($s1, 'x', site, x, v, ($0) => { x = $0 })`. Returns v. `x += v` passes `read(...) + v`. */
  write(scope: Scope | string, name: string, site: number, old: any, value: any, restore: (value: any) => void): any
  /** `x++` -> `(increments($s1, 'x', site, x, 1, ($0) => { x = $0 }), x++)`: a read and a write, before it happens. */
  increments(scope: Scope | string, name: string, site: number, old: any, by: 1 | -1, restore: (value: any) => void, unused?: true): void
  /** `x += v`, where nothing sees the result -> `x = increases($s1, 'x', site, x, 1, (v), ($0) => { x = $0 })`; `sign` -1 is `-=`. Returns the new value. */
  increases(scope: Scope | string, name: string, site: number, old: any, sign: 1 | -1, operand: any, restore: (value: any) => void): any
  /** Inside patterns: `[x] = v` -> `[variable($s1, 'x', site, () => x, ($0) => { x = $0 }).value] = v`. */
  variable(scope: Scope | string, name: string, site: number, get: () => any, set: (value: any) => void): { value: any }

  /** What is imported from another file, which may change it: `x` -> `live('x', site, x)`. Also `ns.x` of `import * as ns`. Returns value. */
  live<T>(name: string, site: number, value: T): T

  /** A constant of `const [x, setX] = f()` in a function inside: `x` -> `paired(x, setX, site)`. Returns value. */
  paired<T>(value: T, setter: unknown, site: number): T
  /** A list of the two that is taken apart by index: `var _a = f(), x = _a[0], setX = _a[1]` -> `var _a = pair(f(), site), ...`. Returns it. */
  pair<T>(list: T, site: number): T

  /** A name that the file declares nowhere, and that is none of the platform's: `x` -> `global('x', site, x)`. Returns value. */
  global<T>(name: string, site: number, value: T): T

  // Control ---------------------------------------------------------------------------------

  /** `async f(a) { body }` -> `f(a) { return run(async () => { body }, 'f', site) }`. `name` is what a reader calls the function. */
  run<T>(body: () => Promise<T>, name: string, site: number): Promise<T>
  /**
   * `return e` in an async function -> `return returned(e)`, and `async () => e` -> `() => run(async () => returned(e), ...)`;
   * not in async generators. A returned promise is then followed by the runtime and not by the engine. Literals need no call.
   */
  returned<T>(value: T): T
  /**
   * At the beginning of a helper that drives generators which were async functions, with the class of its promises if it is given one: whether
   * `drive` does it instead. `__awaiter(this, void 0, void 0, function* () {})` -> `__awaiter(this, void 0, void 0, function* () {}, 'f', site)`.
   */
  drives(promise?: unknown): boolean
  /** Drives a generator as the async function that it was. `name` and `site` are undefined where the caller of the helper was not recognised. */
  drive(generator: () => Generator, name: string | undefined, site: number | undefined): Promise<unknown>
  /** At the beginning of a function that stands before what such a helper has made: `function f() { return _f.apply(this, arguments) }`. */
  forwards(name: string, site: number): void
  /** `yield e` in such a generator -> `yield waits(e, site)`. Returns value. */
  waits<T>(value: T, site: number): T
  /** `await e` -> `await suspend(e, site)`. In async generators `yield e` and `return e` wait too: `yield suspend(e, site)`. */
  suspend<T>(value: T, site: number): T
  /** `import(e)` -> `imported([e], (args) => import(args[0]), site)`: a module is loaded outside, for as long as that takes. */
  imported<T>(args: readonly unknown[], load: (args: readonly unknown[]) => Promise<T>, site: number): Promise<T>
  /**
   * The test of a loop that awaits: `while (a)` -> `while (again(site, i) && (a))`. `carried`: the values of variables that an iteration
   * leaves to the next one, but for those that are recorded. Returns true.
   */
  again(site: number, ...carried: unknown[]): true
  /**
   * An async function that ends with a call of itself: `async f(a) { ...; return f(b) }` -> `async f(a) { again(site, a); ...; return (recurs(site), f(b)) }`.
   * Of a method that is called by `this` also where it is to be found.
   */
  recurs(site: number, object?: object, name?: string): void
  /**
   * What stands for an async function gets the prototype of one: `async () => {}` -> `asynchronous(() => run(...))`; `isGenerator`
   * for an async generator, in the place of which comes another function: what that gives inherits from its own property `prototype`.
   */
  asynchronous<F extends (...args: any[]) => unknown>(fn: F, isGenerator?: true): F
  /** The same for a private method where it is read: `o.#m` -> `asynchronousOnce(o.#m)`. */
  asynchronousOnce<F extends (...args: any[]) => unknown>(fn: F, isGenerator?: true): F
  /** The same for the async methods of a class whose keys are known only later: `static{asynchronousMembers(this.prototype, [[, false, ',$dpor+3)']])}`. */
  asynchronousMembers(object: object, methods: AsyncMethods): void
  /** `async *f(a) { body }` -> `f(a) { return generate((async function* () { body }).call(this), 'f', site) }` (see the plugin for `arguments` and `super`). */
  generate<T>(generator: AsyncGenerator<T>, name: string, site: number): AsyncGenerator<T>
  /** `for await (x of e)` -> `for await (x of iterateAsync(e, site))`; `yield* e` in an async generator -> `yield* iterateAsync(e, site)`. */
  iterateAsync<T>(iterable: T, site: number, elements?: Elements): T
  /** `await using x = e` -> `const x = e; await using $1 = disposedAsync(x, site)`. */
  disposedAsync(value: any, site: number): any
}

declare global {
  // oxlint-disable-next-line no-var
  var __dpor: Emitted | undefined
  // oxlint-disable-next-line no-var
  var __dporOn: boolean
  // oxlint-disable-next-line no-var
  var __dporNames: Int32Array | null
}
