import { expect, test } from 'vitest'
import { investigated } from '../report/executed.ts'

const failingWith = (refused: () => Error) =>
  investigated(
    `const session = { token: 'old' }
    const refresh = async () => { session.token = undefined; await null; session.token = 'new' }
    const get = async () => { await null; if (!session.token) throw refused() }
    await Promise.all([refresh(), get()])`,
    { given: { refused } },
  )

test('of the error of the failing execution reporters are handed what is told in a line, and not the request that it came of', async () => {
  const request: Record<string, unknown> = { path: '/me', headers: { accept: 'application/json', authorization: 'Bearer '.padEnd(100, 'x') } }
  const circle: Record<string, unknown> = {}
  circle['self'] = circle
  const refused = (): Error => Object.assign(new Error('Request failed with status code 401'), { code: 'ERR_BAD_REQUEST', status: 401, details: { field: 'token' }, config: request, circle, cause: Object.assign(new Error('inner'), { request }) })
  const error = await failingWith(refused)
  const { message, cause } = error.toJSON() as { readonly message: string; readonly cause: Record<string, unknown> }
  expect(message).toContain('Request failed with status code 401')
  expect({ ...cause, stack: undefined }).toEqual({
    name: 'Error', message: 'Request failed with status code 401', stack: undefined, code: 'ERR_BAD_REQUEST', status: 401, details: { field: 'token' },
    cause: { name: 'Error', message: 'inner', stack: expect.stringContaining('inner') as string },
  })
  expect(cause['stack']).toContain('told-errors.test.ts')
  // Whoever catches the error itself has it as it was thrown.
  expect(error.cause).toMatchObject({ config: request })
})

test('an error may be its own cause, have one that is not enumerable, and throw when it is asked for a property', async () => {
  const odd = (): Error => {
    const outer: Error = new Error('outer', { cause: new Error('inner') })
    ;(outer.cause as Error).cause = outer
    return Object.defineProperty(outer, 'broken', { enumerable: true, get() { throw new Error('broken') } })
  }
  const error = await failingWith(odd)
  const { cause } = error.toJSON() as { readonly cause: Record<string, unknown> }
  expect(cause).toMatchObject({ message: 'outer', broken: undefined, cause: { message: 'inner' } })
  expect(cause['cause']).not.toHaveProperty('cause')
})
