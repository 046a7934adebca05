import { describe, expect, test } from 'vitest'
import { inert } from '../../src/runtime/calls/inert.ts'
import { execute, rewritten, stripTypes } from './execute.ts'
import { samples, typedSamples } from './samples.ts'

const runTyped = async (text: string) => execute(`${await stripTypes(text)}\nreturn sample(log)`)

describe('a rewritten program does what the original does', () => {
  test.each(Object.entries(samples))('%s', async (_, code) => {
    const original = await execute(code)
    expect(await execute(rewritten(code))).toEqual(original)
    expect(await execute(rewritten(code), inert, { isOn: false })).toEqual(original)
  })

  test.each(Object.entries(typedSamples))('in TypeScript: %s', async (_, code) => {
    const [module, body] = code.includes('//---') ? code.split('//---') : ['', code]
    const source = `${module}; function sample(log: any) {${body}\n}`
    const original = await runTyped(source)
    expect(original.error).toBeUndefined()
    expect(await runTyped(rewritten(source, '/sample.ts'))).toEqual(original)
  })
})
