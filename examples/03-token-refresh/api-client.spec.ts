import { dporTest } from 'vitest-dpor'
import { expect } from 'vitest'
import { ApiClient } from './api-client.ts'
import { AuthServer, MemoryStore } from './auth-server.ts'

// Run once, the renewal is under way before the second request needs a token.
dporTest('two requests with an expired token renew it once', async () => {
  const drafts = new MemoryStore('draft')
  const client = new ApiClient(new AuthServer(), new MemoryStore('refresh-1'))
  const load = () => client.fetch('/inbox')
  const synchronise = async () => {
    const draft = await drafts.load()
    return client.fetch(`/${draft}`)
  }

  expect(await Promise.all([load(), synchronise()])).toEqual(['/inbox: 200', '/draft: 200'])
})
