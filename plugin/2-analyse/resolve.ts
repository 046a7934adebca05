import { type AnalyzeOptions, Referencer, ScopeManager } from 'eslint-scope'
import { childKeys, forEachChild, isFunction, type Node, unwrap } from '../1-parse/node.ts'

/** eslint-scope's walk over the tree, which knows JavaScript, with what TypeScript adds. */
class TypeScriptReferencer extends Referencer {
  /** Declarations of what exists elsewhere are types. */
  override visit(node: Node | null | undefined): void {
    if (node?.declare !== true) super.visit(node)
  }

  override AssignmentExpression(node: unknown): void {
    super.AssignmentExpression(withTarget(node as Node, 'left') as never)
  }

  override UpdateExpression(node: unknown): void {
    super.UpdateExpression(withTarget(node as Node, 'argument') as never)
  }

  AccessorProperty(node: unknown): void {
    this.PropertyDefinition(node as never)
  }

  /** Its variables are those of a block that runs once, like a static block's. */
  TSModuleBlock(node: unknown): void {
    this.StaticBlock(node as never)
  }

  TSModuleDeclaration(node: Node): void {
    this.#name(node)
    if (node.body?.type === 'TSModuleBlock') this.visit(node.body)
  }

  TSEnumDeclaration(node: Node): void {
    this.#name(node)
  }

  TSImportEqualsDeclaration(node: Node): void {
    this.#name(node)
  }

  #name({ id }: Node): void {
    const declaration = { type: 'VariableDeclaration', kind: 'const', declarations: [{ type: 'VariableDeclarator', id, init: null }] }
    if (id.type === 'Identifier') this.VariableDeclaration(declaration as never)
  }
}

/** The target of an assignment without its type assertions. */
function withTarget(node: Node, key: 'left' | 'argument'): Node {
  const target = unwrap(node[key])
  return target === node[key] ? node : { ...node, [key]: target }
}

const declaresName = new Set(['TSModuleDeclaration', 'TSEnumDeclaration', 'TSImportEqualsDeclaration'])

/** For scopes it makes no difference whether a file is a module, but only modules may import. */
const options: AnalyzeOptions = {
  ecmaVersion: 2024,
  sourceType: 'module',
  // `eval` and `with` may do anything to names; nothing else can be said about them.
  optimistic: true,
  ignoreEval: true,
  // Asked for the nodes that JavaScript does not have. (`childVisitorKeys` would be copied for each pattern.)
  fallback: ({ type }) => (childKeys.get(type) ?? []) as string[],
}

/** The scopes of a file, their variables and the references to them. */
export function resolve(program: Node): ScopeManager {
  addRanges(program)
  const scopes = new ScopeManager(options)
  new TypeScriptReferencer(options as never, scopes).visit(program)
  return scopes
}

/** By these eslint-scope tells parameters from what the body declares. It asks for those of names and bodies only. */
function addRanges(node: Node): void {
  if (node.type === 'Identifier') node.range = [node.start, node.end]
  else {
    if (isFunction(node) && node.body) node.body.range = [node.body.start, node.body.end]
    if (declaresName.has(node.type)) addRanges(node.id)
    forEachChild(node, addRanges)
  }
}
