import { expect, test } from 'vitest'
import { addedCode, isKnownPart } from '../../plugin/packages/opaque.ts'
import { rememberDriver } from '../../src/runtime/execution/loaded-drivers.ts'
import { run } from '../report/executed.ts'

/** As Prisma's has memory: what is in it is another thing after each query. */
class QueryCompiler {
  readonly #memory = new Uint8Array(8)

  compile(query: string): { readonly plan: string } {
    this.#memory[0]! += query.length
    return { plan: query }
  }
}
rememberDriver('prisma/query-compiler', { QueryCompiler })

test.each(['.prisma/client/query_compiler_fast_bg.js', '@prisma/client/runtime/query_compiler_small_bg.postgresql.mjs'])('%s is left as it is, and known', (file) => {
  expect(isKnownPart(`/app/node_modules/${file}`)).toBe(true)
  expect(addedCode(`/app/node_modules/${file}`)?.behind).toContain("'prisma/query-compiler'")
})

test('the order in which queries are compiled makes no difference', async () => {
  const body = `const plan = async (query) => { await null; const found = compiler.compile(query); await null; return found.plan }
    await Promise.all([plan('one'), plan('two')])`
  expect((await run(body, { given: { compiler: new QueryCompiler() } })).result).toMatchObject({ verdict: 'holds', executions: 1 })
})
