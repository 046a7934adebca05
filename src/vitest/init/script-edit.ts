import { MagicString } from 'magic-string'
import { parseSync } from 'oxc-parser/src-js/index.js'
import { ofKind, propertyOf, type ObjectExpression } from './node.ts'

/** A script of a `package.json`. */
interface Script {
  readonly name: string
  readonly command: string
}

/** What stands around the properties of an object. */
interface Layout {
  readonly opening: string
  readonly colon: string
  readonly separator: string
  readonly closing: string
}

/** What makes a module of JSON. */
const exported = 'export default '

/** The text of a `package.json` with one more script, laid out as what is there; everything else is as it was. */
export function withScript(text: string, { name, command }: Script): string {
  const edited = new MagicString(exported + text)
  const root = objectIn(edited.original)
  const layout = layoutOf(root, edited.original) ?? { opening: '\n  ', colon: ': ', separator: ',\n  ', closing: '\n' }
  const entry = `"${name}"${layout.colon}"${command}"`
  const scripts = ofKind(propertyOf(root, 'scripts')?.value, 'ObjectExpression')
  if (scripts) add(edited, scripts, entry, inside(layout))
  else add(edited, root, `"scripts"${layout.colon}${objectOf(entry, inside(layout))}`, layout)
  return edited.toString().slice(exported.length)
}

function objectIn(text: string): ObjectExpression {
  const [statement] = parseSync('package.js', text).program.body
  const root = ofKind(ofKind(statement, 'ExportDefaultDeclaration')?.declaration, 'ObjectExpression')
  if (!root) throw new Error('vitest-dpor: package.json is not an object')
  return root
}

/** As its own properties are laid out; undefined where there are none. */
function layoutOf({ start, end, properties }: ObjectExpression, text: string): Layout | undefined {
  const [first, last, lastButOne] = [ofKind(properties[0], 'Property'), properties.at(-1), properties.at(-2)]
  if (!first || !last) return undefined
  const opening = text.slice(start + 1, first.start)
  return {
    opening,
    colon: text.slice(first.key.end, first.value.start),
    separator: lastButOne ? text.slice(lastButOne.end, last.start) : `,${opening}`,
    closing: text.slice(last.end, end - 1),
  }
}

/** Of an object within one that is laid out so. */
function inside(layout: Layout): Layout {
  const indentation = /\n([ \t]*)$/.exec(layout.opening)?.[1]
  if (indentation === undefined) return layout
  const opening = layout.opening + indentation
  return { ...layout, opening, separator: `,${opening}`, closing: layout.opening }
}

function add(edited: MagicString, object: ObjectExpression, entry: string, otherwise: Layout): void {
  const layout = layoutOf(object, edited.original)
  if (layout) edited.appendLeft(object.properties.at(-1)!.end, layout.separator + entry)
  else edited.overwrite(object.start, object.end, objectOf(entry, otherwise))
}

const objectOf = (entry: string, { opening, closing }: Layout): string => `{${opening}${entry}${closing}}`
