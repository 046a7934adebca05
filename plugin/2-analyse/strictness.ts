import { isFunction, type Node } from '../1-parse/node.ts'

const ofModules = /^(?:Import|Export)/

/** Whether the text may be sloppy code: nothing in it says that it is a module, or strict. */
export const mayBeSloppy = (program: Node, file: string): boolean => !/\.m[jt]s$/.test(file) && !hasDirective(program.body as Node[]) && !(program.body as Node[]).some(({ type }) => ofModules.test(type))

/** Classes are strict, and functions that say so. */
export const isStrict = (node: Node): boolean =>
  node.type === 'ClassDeclaration' || node.type === 'ClassExpression' || (isFunction(node) && Array.isArray(node.body?.body) && hasDirective(node.body.body as Node[]))

const hasDirective = (statements: readonly Node[]): boolean => statements.some(({ directive }) => directive === 'use strict')
