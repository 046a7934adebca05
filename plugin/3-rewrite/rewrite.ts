import { parse, type Language } from '../1-parse/parse.ts'
import type { Node } from '../1-parse/node.ts'
import { platformNames } from '../platform-names.ts'
import { assignedNames } from '../2-analyse/assigned.ts'
import { afterDirectives } from './directives.ts'
import { exportsOf } from './live-bindings.ts'
import { quote } from './names.ts'
import type { Original } from './places.ts'
import type { SourceMap } from 'magic-string'
import { Rewriting, type Unhandled } from './rewriting.ts'
import { statements } from './statements.ts'

export interface Rewritten {
  code: string
  map: SourceMap
  /** Constructs that were left as they are, so that their accesses are not seen. */
  unhandled: readonly Unhandled[]
}

/** What the source is that others have made of a file. */
export interface Made {
  readonly language: Language | undefined
  readonly original: Original
}

const isDirective = (node: Node): boolean => typeof node.directive === 'string'

const ofThisThread: ReadonlySet<string> = new Set(platformNames)

/**
 * The source with its accesses going through `__dpor`, or undefined when there is nothing to do.
 *
 * @param platform names of what the platform has put on the global object
 */
export function rewrite(source: string, file: string, { made, platform = ofThisThread }: { readonly made?: Made | undefined; readonly platform?: ReadonlySet<string> } = {}): Rewritten | undefined {
  const parsed = (made?.language && parse(source, file, made.language)) ?? parse(source, file)
  if (!parsed) return undefined
  const body = parsed.program.body as Node[]
  const r = new Rewriting(source, file, parsed, { original: made?.original, platform })
  r.ancestors.push(parsed.program)
  const first = body.find((node) => !isDirective(node))
  if (!first) return undefined
  afterDirectives(body, 0, r)
  const start = Math.min(first.start, ...decoratorsOf(first).map((decorator) => decorator.start))
  const opening = r.insert(start, '')
  statements(body.filter((node) => !isDirective(node)), r)
  const lists = listsOf(r)
  const assigned = assignedNames(parsed.program)
  if (r.edits.calls === 0 && lists.length === 0) return undefined
  if (assigned.length > 0) lists.push(...['[]', '[]'].slice(lists.length), JSON.stringify(assigned))
  // Whether it is sloppy code is decided by who loads it.
  if (r.strictParts) lists.push(...['[]', '[]', '[]'].slice(lists.length), `function () { return this }() && ${JSON.stringify(r.strictParts)}`)
  const temporaries = r.temporaries[0]!.names
  opening.text = `var ${[`${r.names.table} = __dpor.file(${quote(file)}, ${[literal(JSON.stringify(r.places.all)), String(r.places.all.length), ...lists].join(', ')})`, ...temporaries].join(', ')};${r.beginnings.join('')}`
  return { ...r.edits.apply(file, r.lines, (range) => r.commentsIn(range)), unhandled: r.unhandled }
}

/** Any text as a literal, with as few escapes as may be. */
const literal = (text: string): string => `'${text.replaceAll(/[\\']/g, String.raw`\$&`).replaceAll('\u2028', String.raw`\u2028`).replaceAll('\u2029', String.raw`\u2029`)}'`

/** What it imports from packages, and the variables that it exports. */
function listsOf(r: Rewriting): string[] {
  const imports = importsOf(r)
  const exports = exportsOf(r).join(', ')
  if (exports) return [imports || '[]', `[${exports}]`]
  return imports ? [imports] : []
}

/** `[['lodash', () => [_, map]]]`: looked at when it is asked which package a function belongs to. */
function importsOf({ imports }: Rewriting): string {
  if (imports.size === 0) return ''
  return `[${[...imports].map(([specifier, names]) => `[${quote(specifier)}, () => [${[...names].join(', ')}]]`).join(', ')}]`
}

const decoratorsOf = (node: Node): Node[] => (node.decorators ?? node.declaration?.decorators ?? []) as Node[]
