import axios, { type InternalAxiosRequestConfig } from 'axios'
import MockAdapter from 'axios-mock-adapter'
import { expect, vi } from 'vitest'
import { dporTest } from 'vitest-dpor'

const answer = async (config: InternalAxiosRequestConfig) => ({ data: config.url, status: 200, statusText: '', headers: {}, config })
const mocked = () => {
  const client = axios.create()
  new MockAdapter(client).onGet().reply(({ url }) => [200, url])
  return client
}
const clients = { 'an adapter': () => axios.create({ adapter: answer }), 'an adapter that is a mock': () => axios.create({ adapter: vi.fn(answer) }), 'axios-mock-adapter': mocked }

/** By the events of Node's loop, where what stands in for a server answers when it likes. */
for (const [name, make] of Object.entries(clients)) {
  for (const isRight of [false, true]) {
    dporTest(`axios with ${name}, ${isRight ? 'without' : 'with a race'}`, { interleave: 'event-loop', timeout: 30_000 }, async () => {
      const client = make()
      let shown = ''
      let searches = 0
      const search = async (query: string) => {
        const own = ++searches
        const { data } = await client.get<string>(query)
        if (!isRight || own === searches) shown = data
      }
      await Promise.all([search('/a'), search('/ab')])
      expect(shown).toBe('/ab')
    })
  }
}
