import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { mock as mockOfNode } from 'node:test'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { outcomes } from './uninstrumented/outcomes.ts'

vi.mock('node:fs/promises', { spy: true })

const folder = mkdtempSync(path.join(tmpdir(), 'automocks-'))
const file = path.join(folder, 'number')
afterAll(() => rmSync(folder, { recursive: true }))

describe.each(['await', 'event-loop'] as const)("spies in the place of a whole module, interleave: '%s'", (interleave) => {
  test('do what it does, which is seen', async () => {
    const { seen, verdict } = await outcomes(async () => {
      writeFileSync(file, '0')
      const add = async (n: number): Promise<void> => writeFile(file, String(Number(await readFile(file, 'utf8')) * 2 + n))
      await Promise.all([add(1), add(2)])
      return readFileSync(file, 'utf8')
    }, { interleave })
    expect({ seen, verdict }).toEqual({ seen: ['"1"', '"2"', '"4"', '"5"'], verdict: 'holds' })
    expect(vi.isMockFunction(readFile)).toBe(true)
  })

  test('until they are told to do something else', async () => {
    const { seen } = await outcomes(async () => {
      vi.mocked(readFile).mockResolvedValueOnce('7')
      return readFile(file, 'utf8')
    }, { interleave })
    expect(seen).toEqual(['"7"'])
  })
})

test('a mock that another library has made of a mock is called as what it is', async () => {
  const { verdict } = await outcomes(async () => {
    const holder = { method: vi.fn(() => 1) }
    mockOfNode.method(holder, 'method')
    expect(holder.method()).toBe(1)
    mockOfNode.restoreAll()
  })
  expect(verdict).toBe('holds')
})
