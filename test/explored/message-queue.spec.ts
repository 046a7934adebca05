import { expect, test } from 'vitest'
import { explore, resource } from 'vitest-dpor'
import { native } from './uninstrumented/shared-queue.ts'
import { outcomes } from './uninstrumented/outcomes.ts'

/** The example of the README. */
class MessageQueue {
  readonly #state = resource('messages')

  send(message: string): void {
    this.#state.write()
    native.push(message)
  }

  receive(): string | undefined {
    this.#state.write()
    return native.pop()
  }

  isEmpty(): boolean {
    this.#state.read()
    return native.size() === 0
  }
}

test('messages of two senders come in every order', async () => {
  const { seen, verdict } = await outcomes(async () => {
    native.clear()
    const queue = new MessageQueue()
    const send = async (message: string) => {
      await null
      queue.send(message)
    }
    await Promise.all([send('a'), send('b')])
    return [queue.receive(), queue.receive()]
  })
  expect({ seen, verdict }).toEqual({ seen: ['["a","b"]', '["b","a"]'], verdict: 'holds' })
})

test('two receivers that look first: one finds nothing', async () => {
  const { verdict } = await explore(async () => {
    native.clear()
    const queue = new MessageQueue()
    queue.send('job')
    const work = async () => {
      if (queue.isEmpty()) return 'nothing to do'
      await null
      return queue.receive() ?? 'lost'
    }
    expect(await Promise.all([work(), work()])).not.toContain('lost')
  })
  expect(verdict).toBe('fails')
})
