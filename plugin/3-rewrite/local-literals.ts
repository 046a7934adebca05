import { isTransparent, type Node } from '../1-parse/node.ts'
import { keyOf } from './patterns.ts'
import type { Rewriting } from './rewriting.ts'

/**
 * Literals that nobody gets hold of but the function that makes them: `const { a, b } = { a: 1, b: 2 }`, `[a, b] = [b, a]`, `const o = { x: 1 }` of which only
 * `o.x` or `...o` is used, and what a function returns to calls that all take it apart. Made outside an exploration none of them is met by one, so they need no name,
 * and engines make them up without an object.
 */
export class LocalLiterals {
  /** Callees, by the patterns that take apart what the calls return. */
  readonly #patterns = new Map<Node, Node>()

  /** To be shown all nodes of a file. */
  look({ type, id, init }: Node): void {
    if (type === 'VariableDeclarator' && id.type === 'ObjectPattern' && init?.type === 'CallExpression' && init.callee.type === 'Identifier') this.#patterns.set(init.callee, id)
  }

  /** Whether the literal that is being visited is one of them. */
  has(literal: Node, r: Rewriting): boolean {
    if (r.mayEvaluate || !isPlain(literal)) return false
    const keys: string[] = []
    let value = literal
    for (let i = r.ancestors.lastIndexOf(literal) - 1; i >= 0; i--) {
      const parent = r.ancestors[i]!
      switch (parent.type) {
        case 'Property': {
          const key = keyOf(parent)
          if (key === undefined || parent.value !== value) return false
          keys.unshift(key)
          break
        }
        case 'ObjectExpression': break
        case 'VariableDeclarator': return this.#staysIn(parent.id, keys, r)
        case 'AssignmentExpression': return keys.length === 0 && parent.left.type.endsWith('Pattern') && r.ancestors[i - 1]!.type === 'ExpressionStatement'
        case 'ArrowFunctionExpression': return parent.body === value && this.#isTakenApart(parent, r.ancestors[i - 1]!, keys, r)
        case 'ReturnStatement': {
          const at = r.ancestors.findLastIndex((node, j) => j < i && ofFunctions.test(node.type))
          return at > 0 && this.#isTakenApart(r.ancestors[at]!, r.ancestors[at - 1]!, keys, r)
        }
        default: if (!isTransparent(parent)) return false
      }
      value = parent
    }
    return false
  }

  /** The same of what a pattern leaves over, by its name. */
  hasRest(name: Node, r: Rewriting): boolean {
    return !r.mayEvaluate && this.#staysIn(name, [], r)
  }

  /** @param keys those that lead to the literal from what the target gets */
  #staysIn(target: Node, keys: readonly string[], r: Rewriting): boolean {
    const [first, ...others] = keys
    switch (target.type) {
      case 'Identifier': {
        const uses = r.analysis.usesWithin(target)
        // What is spread is copied.
        return uses !== undefined && uses.every((use) => isRead(r.source.slice(use.end, use.end + longestRead), first) || (first === undefined && spread.test(r.source.slice(use.start - 4, use.end + 1))))
      }
      case 'AssignmentPattern': return this.#staysIn(target.left, keys, r)
      case 'ArrayPattern': return first === undefined
      case 'ObjectPattern':
        if (first === undefined) return true
        return (target.properties as Node[]).every((property) => {
          const key = keyOf(property)
          return key !== undefined && (key !== first || this.#staysIn(property.value, others, r))
        })
      default: return false
    }
  }

  /** Whether all calls of a function take apart what it returns. */
  #isTakenApart(fn: Node, parent: Node, keys: readonly string[], r: Rewriting): boolean {
    const id = fn.type === 'FunctionDeclaration' ? (fn.id as Node | null) : parent.type === 'VariableDeclarator' ? (parent.id as Node) : null
    if (fn.async || fn.generator || id?.type !== 'Identifier' || r.analysis.exports.some(({ local }) => local === id.name)) return false
    return r.analysis.uses(id).every((use) => {
      const pattern = this.#patterns.get(use)
      return pattern !== undefined && this.#staysIn(pattern, keys, r)
    })
  }
}

const ofFunctions = /Function|MethodDefinition/

/** Without accessors, methods and another prototype. */
const isPlain = ({ type, properties }: Node): boolean =>
  type === 'ArrayExpression' || (type === 'ObjectExpression' && (properties as Node[]).every((property) => property.type === 'SpreadElement' || (property.kind === 'init' && !property.method && keyOf(property) !== '__proto__')))

/** Characters of a property, at most, that are looked at. */
const longestRead = 60

/** What stands behind a variable: a property that is not called, which would pass the object on. What cannot be told by a look at the text counts as if it did. */
const read = /^(?:\s*\??\.\s*([\w$]+)|\[\s*(?:\d+|[\w$]+)\s*\])(?![\w$]|\s*(?:\(|\?\.\s*\(|`|!(?!=)|\/[/*]|$))(?!<)/

/** The whole of what is spread, and no member of a member. */
const spread = /^[^.]?\.\.\.[\w$]+[\s,)\]}]$/

/** @param key of a property that must not be read */
function isRead(text: string, key: string | undefined): boolean {
  const found = read.exec(text)
  return found !== null && (key === undefined || (found[1] !== undefined && found[1] !== key))
}
