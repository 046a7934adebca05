import { readFile } from 'node:fs/promises'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { dporTest, explore } from '../../src/index.ts'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

// Vitest says each time that they were not awaited.
beforeAll(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))

const aborted = (): Error => new Error('aborted')

describe.each(['await', 'event-loop'] as const)("assertions of promises that the body does not wait for belong to it, by '%s'", (interleave) => {
  test.each([
    ['by a timer', (fail: () => void) => void setTimeout(fail, 10)],
    ['by an immediate', (fail: () => void) => void setImmediate(fail)],
    ['by what is outside', (fail: () => void) => {
      const { port1, port2 } = new MessageChannel()
      port1.on('close', fail)
      port2.close()
    }],
  ])('decided %s', async (_, end) => {
    const body = (message: RegExp) => async (): Promise<void> => {
      void expect(new Promise((_resolve, reject) => end(() => reject(aborted())))).rejects.toThrow(message)
    }
    expect((await explore(body(/aborted/), { interleave })).verdict).toBe('holds')
    expect((await explore(body(/another/), { interleave })).failures).toMatchObject([{ kind: 'error', error: { name: 'AssertionError' } }])
  })

  test('in each order', async () => {
    const { verdict, failures } = await explore(async () => {
      const box = { value: 0 }
      const [one, other] = [vi.fn().mockResolvedValue(1), vi.fn().mockResolvedValue(2)]
      const set = async (answer: () => Promise<number>): Promise<void> => { box.value = await answer() }
      void expect(Promise.all([set(one), set(other)]).then(() => box.value)).resolves.toBe(2)
    }, { interleave })
    expect([verdict, failures[0]?.schedule !== undefined]).toEqual(['fails', true])
  })

  test('also where something real ends the body', async () => {
    const { failures } = await explore(() => {
      void expect(new Promise((_resolve, reject) => void setTimeout(() => reject(aborted()), 10))).rejects.toThrow(/another/)
      return readFile(import.meta.filename)
    }, { interleave })
    expect(failures).toMatchObject([{ kind: 'error', error: { name: 'AssertionError' } }])
  })

  test('for ever, where nothing settles it', async () => {
    const { failures } = await explore(async () => void expect(new Promise(() => {})).resolves.toBe(1), { interleave })
    expect(failures).toMatchObject([{ kind: 'deadlock' }])
  })

  describe('with hooks around the test', () => {
    let [one, other]: MessagePort[] = []
    beforeEach(() => {
      ;({ port1: one, port2: other } = new MessageChannel())
    })

    dporTest('it ends when what is outside has settled them', { interleave }, async () => {
      one!.start()
      void expect(new Promise((_resolve, reject) => void one!.on('close', () => reject(aborted())))).rejects.toThrow(/aborted/)
      await new Promise((resolve) => setTimeout(resolve, 0))
      other!.close()
    })
  })
})
