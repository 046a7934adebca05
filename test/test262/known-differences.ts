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
    names: /^built-ins\/Array\//,
    source: /(?:Array|Object)\.prototype(?:\[\d|, ["']\d)/,
    ways: both,
    reason: 'it defines elements of Array.prototype or Object.prototype, which the arrays of the runtime and the engine inherit',
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
]

/** Why a file of the suite does not behave as it does without the project. */
export function differenceReason({ name, source: text }: SuiteFile, way: Way): string | undefined {
  return known.find(({ names, source, ways }) => names.test(name) && (!source || source.test(text)) && ways.includes(way))?.reason
}
