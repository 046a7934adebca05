import type { Way } from './run.ts'
import type { SuiteFile } from './suite.ts'

interface Known {
  /** What names of files contain. */
  readonly names: RegExp
  /** What they contain themselves, where the names do not tell. */
  readonly source?: RegExp
  readonly ways: readonly Way[]
  readonly reason: string
}

const both: readonly Way[] = ['outside', 'inside']

/** Objects that the runtime or the engine use, as a program calls them. */
const ofTheLanguage = 'Array|ArrayIteratorProto(?:type)?|ArrayProto|Map|MapIteratorProto|Object|Promise|Reflect|Set|SetIteratorProto|TypedArray(?:Prototype)?|WeakMap|WeakSet'

const known: readonly Known[] = [
  {
    names: /^language\/expressions\/async-generator\/(?:.*-)?default-proto\.js$/,
    ways: both,
    reason: 'the objects of an async generator inherit from the prototype of the function inside the one that stands for it',
  },
  {
    names: /computed-property-name-from-async-arrow-function-expression\.js$/,
    ways: both,
    reason: 'the text of a function, which is a key here, is that of what was emitted, and differs from place to place',
  },
  {
    names: /./,
    source: /(?:Array|Object)\.prototype(?:\[\d|, *["']\d)/,
    ways: both,
    reason: 'it defines elements of Array.prototype or Object.prototype, which the arrays of the runtime and the engine inherit',
  },
  {
    names: /./,
    source: new RegExp(`verify\\w*Property\\((?:${ofTheLanguage})\\b|(?:${ofTheLanguage})(?:\\.prototype)?(?:\\.\\w+|\\[Symbol\\.\\w+\\]) = |(?:defineProperty|freeze|preventExtensions|setPrototypeOf)\\((?:${ofTheLanguage})(?:\\.prototype)?[,)]`),
    ways: both,
    reason: 'it replaces or takes away what the language provides and the runtime itself uses',
  },
  {
    names: /^(?:built-ins\/AsyncFunction\/instance-prototype-property|language\/statements\/class\/subclass\/superclass-async-function)\.js$/,
    ways: both,
    reason: 'the declared function that stands for an async one has a property `prototype`, which cannot be taken away',
  },
  {
    names: /^language\/statements\/async-generator\/yield-(?:star-)?return-then-getter-ticks\.js$/,
    ways: ['inside'],
    reason: 'what `return` of an async generator is given is asked once more whether it is a promise',
  },
  {
    names: /^language\/statements\/for-await-of\/async-from-sync-iterator-continuation-abrupt-completion-get-constructor\.js$/,
    ways: ['inside'],
    reason: 'a promise whose constructor cannot be read is rejected a microtask earlier',
  },
  {
    names: /^built-ins\/AsyncGeneratorPrototype\/return\/return-.*-broken-promise.*\.js$/,
    ways: ['inside'],
    reason: 'a promise whose constructor cannot be read is followed all the same',
  },
  {
    names: /^built-ins\/Array\/isArray\/proxy-revoked\.js$/,
    ways: ['inside'],
    reason: 'a Proxy that can be revoked is one whose traps throw once it is',
  },
  {
    names: /^built-ins\/Array\/prototype\/\w+\/calls-only-has-on-prototype-after-length-zeroed\.js$/,
    ways: ['inside'],
    reason: 'what an array with a Proxy among its prototypes inherits is looked at',
  },
  {
    names: /^built-ins\/Promise\/prototype\/finally\/subclass-.*-count\.js$/,
    ways: ['inside'],
    reason: 'the promise that the language makes and drops, when a promise of a subclass is resolved with another one, is not made',
  },
  {
    names: /^built-ins\/Promise\/race\/resolved-.*\.js$/,
    ways: ['inside'],
    reason: 'an outcome is passed on from one promise to another within the step that settled the first, before other steps',
  },
  {
    names: /^built-ins\/Array\/prototype\/splice\/(?:create-non-array|property-traps-order-with-species|set_length_no_args)\.js$/,
    ways: ['inside'],
    reason: 'what looks like an array, or has a Proxy in its place, is looked at as a whole before it is changed',
  },
  {
    names: /^built-ins\/Array\/length\/define-own-prop-length-coercion-order-set\.js$/,
    ways: ['inside'],
    reason: 'a length that becomes read-only while a number is made of the new one is an error of `Reflect.set`',
  },
  {
    names: /^built-ins\/Promise\/(?:get-prototype-abrupt-executor-not-callable|prototype\/then\/ctor-null|prototype\/finally\/(?:rejected|resolved)-observable-then-calls|prototype\/finally\/species-constructor)\.js$/,
    ways: ['inside'],
    reason: 'a promise is made, or followed, without asking its class as often as the language does',
  },
  {
    names: /^built-ins\/Promise\/(?:all|allSettled)\/resolve-(?:poisoned-then|thenable)\.js$/,
    ways: ['inside'],
    reason: 'the array of the results is no thenable, whatever arrays inherit',
  },
  {
    names: /^built-ins\/Proxy\/(?:revocable\/(?:handler-is-revoked-proxy|revocation-function-name)|set\/call-parameters-prototype.*)\.js$/,
    ways: ['inside'],
    reason: 'the handler of a Proxy is looked at, and what an object with a Proxy among its prototypes inherits',
  },
  {
    names: /^built-ins\/TypedArray\/(?:from\/mapfn-is-not-callable|prototype\/sort\/BigInt\/sortcompare-with-no-tostring)\.js$/,
    ways: ['inside'],
    reason: 'what a typed array is made from, or sorted by, is looked at before the platform checks it',
  },
]

/** Why a file of the suite does not behave as it does without the project. */
export function differenceReason({ name, source: text }: SuiteFile, way: Way): string | undefined {
  return known.find(({ names, source, ways }) => names.test(name) && (!source || source.test(text)) && ways.includes(way))?.reason
}
