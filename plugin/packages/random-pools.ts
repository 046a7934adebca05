import { globalName } from '../../src/runtime/calls/emitted.ts'

/**
 * Files of packages that take random bytes out of a pool of their own. Who gets which of them decides nothing: while an execution runs, each process draws its own.
 */
const pools = [
  // 7 to 11
  { file: /\/node_modules\/uuid\/dist\/(?:(?:cjs|esm|esm-node)\/)?rng\.js$/, as: 'uuid', functions: '{ rng, replace: (own) => { if (typeof exports === "undefined") rng = own; else exports.default = own } }' },
  { file: /\/node_modules\/nanoid\/index\.c?js$/, as: 'nanoid', functions: '{ fillPool, replace: (own) => { fillPool = own }, set: (bytes) => { pool = bytes; poolOffset = bytes.length } }' },
]

/** What stands behind the text of such a file. */
export function poolCode(file: string): string | undefined {
  const found = pools.find((pool) => pool.file.test(file))
  return found && `\n;globalThis.${globalName}?.connects('${found.as}', ${found.functions});`
}
