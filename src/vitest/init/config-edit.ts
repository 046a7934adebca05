import { MagicString } from 'magic-string'
import { parseSync } from 'oxc-parser/src-js/index.js'
import { nameOf, ofKind, propertyOf, type Node, type ObjectExpression } from './node.ts'

const specifier = 'vitest-dpor/plugin'

/** What Vitest does with projects whose options stand in the config: since version 5 they have all that the config has, unless they say otherwise. */
interface Inheritance {
  readonly isDefault: boolean
}

/**
 * The text of a Vite or Vitest config with `dpor()` among its plugins; the same where it is there already. Undefined where nothing is found that
 * looks like the options.
 */
export function withPlugin(text: string, file: string, inheritance: Inheritance): string | undefined {
  if (text.includes(specifier)) return text
  const body = statementsOf(text, file)
  const exported = body && exportedBy(body)
  if (!exported) return undefined
  const edited = new MagicString(text)
  const options = optionsOf(exported, body)
  const elsewhere = options ? undefined : importedOf(exported, body)
  if (options) for (const one of [options, ...inlineProjects(options, inheritance)]) addToPlugins(edited, one, text)
  else if (elsewhere) edited.appendLeft(elsewhere.start, 'mergeConfig(').appendRight(elsewhere.end, ', { plugins: [dpor()] })')
  else return undefined
  const lacksMerge = elsewhere !== undefined && !isImported('mergeConfig', body)
  addImports(edited, body, text, [...(lacksMerge ? [{ name: 'mergeConfig', from: 'vitest/config' }] : []), { name: 'dpor', from: specifier }])
  return edited.toString()
}

/** Other files and folders with a config of their own, as `test.projects` names them: `packages/*`. */
export function projectsIn(text: string, file: string): string[] {
  const body = statementsOf(text, file)
  const options = body && optionsOf(exportedBy(body), body)
  return projectsOf(options).flatMap((element) => ofKind(element, 'Literal')?.value ?? []).filter((value) => typeof value === 'string')
}

function projectsOf(options: ObjectExpression | undefined): readonly (Node | null)[] {
  const test = ofKind(propertyOf(options, 'test')?.value, 'ObjectExpression')
  return ofKind(propertyOf(test, 'projects')?.value, 'ArrayExpression')?.elements ?? []
}

/** Projects that stand in the config itself and have no plugins but their own. */
function inlineProjects(options: ObjectExpression, { isDefault }: Inheritance): ObjectExpression[] {
  return projectsOf(options)
    .map((element) => optionsOf(element, []))
    .filter((project) => project !== undefined)
    .filter((project) => (ofKind(propertyOf(project, 'extends')?.value, 'Literal')?.value ?? isDefault) === false)
}

function statementsOf(text: string, file: string): readonly Node[] | undefined {
  const { program, errors } = parseSync(file, text)
  return errors.length > 0 ? undefined : (program.body as unknown as readonly Node[])
}

/** What a config exports, by either kind of module. */
function exportedBy(body: readonly Node[]): Node | undefined {
  for (const statement of body) {
    const exported = ofKind(statement, 'ExportDefaultDeclaration')?.declaration ?? assignedExports(statement)
    if (exported) return exported
  }
  return undefined
}

function assignedExports(statement: Node): Node | undefined {
  const assignment = ofKind(ofKind(statement, 'ExpressionStatement')?.expression, 'AssignmentExpression')
  const target = ofKind(assignment?.left, 'MemberExpression')
  return nameOf(target?.object) === 'module' && nameOf(target?.property) === 'exports' ? assignment?.right : undefined
}

const optionsOf = (node: Node | null | undefined, body: readonly Node[]): ObjectExpression | undefined => ofKind(endOf(node, body), 'ObjectExpression')

/** The name of options that another file has: `import shared from '../shared'; export default shared`. */
function importedOf(node: Node, body: readonly Node[]): Node | undefined {
  const end = endOf(node, body)
  const name = nameOf(end)
  return name !== undefined && isImported(name, body) ? end : undefined
}

const isImported = (name: string, body: readonly Node[]): boolean => body.some((statement) => ofKind(statement, 'ImportDeclaration')?.specifiers.some(({ local }) => nameOf(local) === name))

/** Where `defineConfig({ ... })`, `mergeConfig(base, { ... })`, `() => ({ ... })` and a variable lead to. */
function endOf(node: Node | null | undefined, body: readonly Node[]): Node | undefined {
  switch (node?.type) {
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return endOf(ofKind(node, node.type)?.expression, body)
    case 'CallExpression':
      return endOf(ofKind(node, 'CallExpression')?.arguments.at(-1), body)
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return endOf(ofKind(node, node.type)?.body, body)
    case 'BlockStatement':
    case 'FunctionBody':
      return endOf(ofKind(node, node.type)?.body.findLast(({ type }) => type === 'ReturnStatement'), body)
    case 'ReturnStatement':
      return endOf(ofKind(node, 'ReturnStatement')?.argument, body)
    case 'Identifier':
      return endOf(valueOf(nameOf(node), body), []) ?? node
    default:
      return node?.type === 'ObjectExpression' ? node : undefined
  }
}

function valueOf(name: string | undefined, body: readonly Node[]): Node | null | undefined {
  const declarators = body.flatMap((statement) => ofKind(statement, 'VariableDeclaration')?.declarations ?? [])
  return declarators.find(({ id }) => nameOf(id) === name)?.init
}

function addToPlugins(edited: MagicString, options: ObjectExpression, text: string): void {
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

function addImports(edited: MagicString, body: readonly Node[], text: string, wanted: readonly { readonly name: string; readonly from: string }[]): void {
  const isCommonJs = body.some((statement) => assignedExports(statement) !== undefined)
  const last = body.findLast((statement) => (isCommonJs ? isRequire(statement) : statement.type === 'ImportDeclaration'))
  const like = last ? text.slice(last.start, last.end) : text
  const quote = /["']/.exec(like)?.[0] ?? "'"
  const end = last ? (like.endsWith(';') ? ';' : '') : /;\s*$/m.test(text) ? ';' : ''
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const line = wanted.map(({ name, from }) => (isCommonJs ? `const { ${name} } = require(${quote}${from}${quote})${end}` : `import { ${name} } from ${quote}${from}${quote}${end}`)).join(newline)
  const before = last ?? body.findLast((statement) => ofKind(statement, 'ExpressionStatement')?.directive)
  if (before) edited.appendLeft(before.end + commentAt(before.end, text).length, newline + line)
  else edited.appendLeft(headOf(text).length, line + newline)
}

function isRequire(statement: Node): boolean {
  const calls = (ofKind(statement, 'VariableDeclaration')?.declarations ?? []).map(({ init }) => ofKind(init, 'CallExpression'))
  return calls.some((call) => nameOf(call?.callee) === 'require')
}

/** What is said of a statement at the end of its line. */
const commentAt = (end: number, text: string): string => /^[ \t]*\/\/.*/.exec(text.slice(end))?.[0] ?? ''

/** What has to stand in the first lines of a file. */
const headOf = (text: string): string => /^(?:(?:#!|\/\/\/|\/\/ *@ts-).*\r?\n)*/.exec(text)![0]
