import { dporTest } from 'vitest-dpor'
import { expect } from 'vitest'
import { QueryClient } from 'tiny-query'

function makeServer() {
  const todos = ['a']
  return {
    async list() {
      await null
      const now = [...todos]
      await null
      return now
    },
    async add(todo: string) {
      await null
      todos.push(todo)
    },
  }
}

for (const isFixed of [false, true])
  dporTest(`an optimistic update, ${isFixed ? 'without' : 'with a race'}`, async () => {
    const client = new QueryClient()
    const server = makeServer()
    const add = async (todo: string) => {
      await null
      if (isFixed) client.cancel('todos')
      client.setQueryData('todos', (old: string[] = []) => [...old, todo])
      await server.add(todo)
      if (isFixed) await client.fetch('todos', server.list)
    }
    await Promise.all([client.fetch('todos', server.list), add('b')])
    expect(client.getQueryData('todos')).toContain('b')
  })
