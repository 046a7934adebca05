/**
 * Runs early in every test worker, where packages are instrumented: what these `require`, and the test runner therefore never
 * gets to see, Node loads itself.
 */
import Module from 'node:module'
import { inject } from 'vitest'
import { rewrite } from './3-rewrite/rewrite.ts'
import { fileFilter } from './files.ts'

/** What the main process tells of the files to instrument. */
export interface RequiredFiles {
  readonly inline: readonly string[]
  readonly exclude: readonly { readonly source: string; readonly flags: string }[]
}

type Compile = (this: unknown, content: string, file: string, ...others: unknown[]) => unknown

/** Where Node compiles what it has read. */
const key = '_compile'
/** On the function of a worker that runs several test files. */
const done = Symbol.for('vitest-dpor: instruments what Node loads')

const compile = Reflect.get(Module.prototype, key) as Compile
if (!Object.hasOwn(compile, done)) {
  const { inline, exclude } = inject('dporRequired' as never) as RequiredFiles
  const fileOf = fileFilter({ include: [], inline: [...inline], exclude: exclude.map(({ source, flags }) => new RegExp(source, flags)) })
  const instrumenting: Compile = function (content, file, ...others) {
    const rewritten = fileOf(file.replaceAll('\\', '/')) && rewrite(content, file)
    return Reflect.apply(compile, this, [rewritten ? rewritten.code : content, file, ...others])
  }
  Reflect.set(Module.prototype, key, Object.assign(instrumenting, { [done]: true }))
}
