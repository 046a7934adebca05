import { parseSync } from 'oxc-parser/src-js/index.js'
import type { Node } from '../1-parse/node.ts'
import { asMethod } from './functions.ts'
import { Restoring } from './restoring.ts'

/**
 * The text of a function or class as it was before it was rewritten, from the one that is run, whatever a compiler has done with that since. The plain
 * expressions stand in it; what stands around them is taken away. Undefined where something is left that no rule knows.
 */
export function restored(text: string): string | undefined {
  for (const [before, after, isMethod] of ways) {
    const program = parsed(`${before}${text}${after}`)
    if (program) return attempted(program, { restoring: new Restoring(`${before}${text}${after}`), isMethod })
  }
  return undefined
}

function attempted(program: Node, { restoring, isMethod }: { readonly restoring: Restoring; readonly isMethod: boolean }): string | undefined {
  try {
    const plain = isMethod ? asMethod(methodOf(program), restoring) : restoring.text((program.body[0] as Node).expression.expression as Node)
    return isPlain(plain, restoring) && ways.some(([open, close]) => parsed(`${open}${plain}${close}`)) ? plain : undefined
  } catch {
    // Of another shape than any that is known.
    return undefined
  }
}

/** What a function's text can be: an expression, or a method of an object or a class. */
const ways: readonly (readonly [before: string, after: string, isMethod: boolean])[] = [['(', ')', false], ['({', '})', true], ['(class extends Object {', '})', true]]

function parsed(source: string): Node | undefined {
  for (const sourceType of ['module', 'commonjs'] as const) {
    const { program, errors } = parseSync('text.js', source, { lang: 'js', sourceType, preserveParens: true })
    if (errors.length === 0) return program as unknown as Node
  }
  return undefined
}

function methodOf(program: Node): Node {
  const around = program.body[0].expression.expression as Node
  return (around.type === 'ObjectExpression' ? around.properties[0] : around.body.body[0]) as Node
}

const isPlain = (text: string, restoring: Restoring): boolean => !text.includes('__dpor') && !restoring.isLeftIn(text)
