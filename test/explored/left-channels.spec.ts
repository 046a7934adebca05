import { BroadcastChannel, MessageChannel } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { explore } from 'vitest-dpor'

const openPorts = (): number => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length

test.each(['await', 'event-loop'] as const)("channels that executions do not come to close keep nothing alive, interleave: '%s'", async (interleave) => {
  const before = openPorts()
  const { verdict } = await explore(
    async () => {
      const { port1 } = new MessageChannel()
      port1.on('message', () => {})
      const other = new BroadcastChannel('left')
      let n = 0
      const add = async () => {
        const found = n
        await null
        n = found + 1
      }
      await Promise.all([add(), add()])
      if (n < 2) throw new Error('lost')
      port1.close()
      other.close()
    },
    { interleave, stopOnFirst: false },
  )
  expect(verdict).toBe('fails')
  // A port is closed a turn after it was told to.
  await expect.poll(openPorts).toBe(before)
})
