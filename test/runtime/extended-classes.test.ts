import { afterAll, beforeAll, expect, test, vi } from 'vitest'

const { URL, Request } = globalThis

beforeAll(() => {
  vi.stubGlobal('URL', class extends URL {})
  vi.stubGlobal('Request', class extends Request {})
  vi.resetModules()
})
afterAll(() => vi.unstubAllGlobals())

test('where a test environment has put classes in the place of those of the platform that extend these, what is seen is that of the platform', async () => {
  const { urls, readURL } = await import('../../src/runtime/accesses/urls.ts')
  const { messagePrototypes } = await import('../../src/runtime/accesses/bodies.ts')
  expect(urls.holder).toBe(URL.prototype)
  expect(messagePrototypes[0]).toBe(Request.prototype)
  const { saveState } = await import('../../src/runtime/execution/restorers.ts')
  const url = new globalThis.URL('https://example.com/a')
  const restore = saveState(url)!
  url.pathname = '/b'
  restore()
  expect(url.href).toBe('https://example.com/a')
  // What is no URL is left alone.
  expect(() => readURL(undefined as never, {} as URL, 0)).not.toThrow()
})
