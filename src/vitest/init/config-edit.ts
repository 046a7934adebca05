import { MagicString } from 'magic-string'
import { parseSync } from 'oxc-parser'
import { ofKind, type Node } from './node.ts'

const specifier = 'vitest-dpor/plugin'

/**
 * The text of a Vite or Vitest config with `dpor()` among its plugins; the same where it is there already. Undefined where nothing is found that
 * looks like the options.
 */
export function withPlugin(text: string, file: string): string | undefined {
  if (text.includes(specifier)) return text
  const body = statementsOf(text, file)
  const options = body && optionsIn(body)
  if (!options) return undefined
  const edited = new MagicString(text)
  addToPlugins(edited, options, text)
  addImport(edited, body, text)
  return edited.toString()
}

/** Other files and folders with a config of their own, as `test.projects` names them: `packages/*`. */
export function projectsIn(text: string, file: string): string[] {
  const body = statementsOf(text, file)
  const test = body && propertyOf(optionsIn(body), 'test')?.value
  const projects = ofKind(propertyOf(ofKind(test, 'ObjectExpression'), 'projects')?.value, 'ArrayExpression')
  return (projects?.elements ?? []).flatMap((element) => ofKind(element, 'Literal')?.value ?? []).filter((value) => typeof value === 'string')
}

function statementsOf(text: string, file: string): readonly Node[] | undefined {
  const { program, errors } = parseSync(file, text)
  return errors.length > 0 ? undefined : (program.body as unknown as readonly Node[])
}

type Options = NonNullable<ReturnType<typeof ofKind<'ObjectExpression'>>>

/** What a config exports, by either kind of module. */
function optionsIn(body: readonly Node[]): Options | undefined {
  for (const statement of body) {
    const exported = ofKind(statement, 'ExportDefaultDeclaration')?.declaration ?? assignedExports(statement)
    if (exported) return optionsOf(exported, body)
  }
  return undefined
}

function assignedExports(statement: Node): Node | undefined {
  const assignment = ofKind(ofKind(statement, 'ExpressionStatement')?.expression, 'AssignmentExpression')
  const target = ofKind(assignment?.left, 'MemberExpression')
  return nameOf(target?.object) === 'module' && nameOf(target?.property) === 'exports' ? assignment?.right : undefined
}

/** `defineConfig({ ... })`, `mergeConfig(base, { ... })`, `() => ({ ... })` and a variable lead to options. */
function optionsOf(node: Node | null | undefined, body: readonly Node[]): Options | undefined {
  switch (node?.type) {
    case 'ObjectExpression':
      return ofKind(node, 'ObjectExpression')
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return optionsOf(ofKind(node, node.type)?.expression, body)
    case 'CallExpression':
      return optionsOf(ofKind(node, 'CallExpression')?.arguments.at(-1), body)
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return optionsOf(ofKind(node, node.type)?.body, body)
    case 'BlockStatement':
    case 'FunctionBody':
      return optionsOf(ofKind(node, node.type)?.body.findLast(({ type }) => type === 'ReturnStatement'), body)
    case 'ReturnStatement':
      return optionsOf(ofKind(node, 'ReturnStatement')?.argument, body)
    case 'Identifier':
      return optionsOf(valueOf(nameOf(node), body), [])
    default:
      return undefined
  }
}

function valueOf(name: string | undefined, body: readonly Node[]): Node | null | undefined {
  const declarators = body.flatMap((statement) => ofKind(statement, 'VariableDeclaration')?.declarations ?? [])
  return declarators.find(({ id }) => nameOf(id) === name)?.init
}

const nameOf = (node: Node | null | undefined): string | undefined => ofKind(node, 'Identifier')?.name

function propertyOf(options: Options | undefined, name: string) {
  return options?.properties.map((property) => ofKind(property, 'Property')).find((property) => nameOf(property?.key) === name || ofKind(property?.key, 'Literal')?.value === name)
}

function addToPlugins(edited: MagicString, options: Options, text: string): void {
  const property = propertyOf(options, 'plugins')
  const plugins = property?.value
  const list = ofKind(plugins, 'ArrayExpression')
  if (list) {
    const last = list.elements.at(-1)
    if (last) edited.appendLeft(last.end, ', dpor()')
    else edited.overwrite(list.start, list.end, '[dpor()]')
  } else if (plugins) {
    // Vite takes lists within lists.
    edited.appendLeft(plugins.start, property.start === plugins.start ? 'plugins: [' : '[').appendRight(plugins.end, ', dpor()]')
  } else {
    const first = options.properties[0]
    const before = first && text.slice(options.start + 1, first.start)
    const isOnLines = before === undefined || before.includes('\n')
    edited.appendLeft(options.start + 1, `${isOnLines ? (before ?? '\n  ') : ' '}plugins: [dpor()]${first ? ',' : '\n'}`)
  }
}

function addImport(edited: MagicString, body: readonly Node[], text: string): void {
  const imports = body.filter(({ type }) => type === 'ImportDeclaration')
  const isCommonJs = body.some((statement) => assignedExports(statement) !== undefined)
  const last = imports.at(-1)
  const like = last ? text.slice(last.start, last.end) : text
  const quote = /["']/.exec(like)?.[0] ?? "'"
  const end = last ? (like.endsWith(';') ? ';' : '') : /;\s*$/m.test(text) ? ';' : ''
  const source = quote + specifier + quote
  if (isCommonJs) edited.prepend(`const { dpor } = require(${source})${end}\n`)
  else if (last) edited.appendLeft(last.end, `\nimport { dpor } from ${source}${end}`)
  else edited.prepend(`import { dpor } from ${source}${end}\n`)
}
