import { expect, test } from 'vitest'
import { config, project, run } from './project.ts'

const files = {
  'vitest.config.ts': config(`{ opaque: ['asks'] }`),
  'node_modules/asks/package.json': '{ "name": "asks", "version": "1.0.0", "type": "module", "exports": "./index.js" }',
  'node_modules/asks/index.js': `
import { get } from 'node:http'
export const ask = (port, done) => void get({ port, host: '127.0.0.1', agent: false }, (response) => response.on('data', () => {}).on('end', done))`,
  'asks.spec.js': `
import { unwatchFile, watchFile } from 'node:fs'
import { createServer } from 'node:http'
import { ask } from 'asks'
import { expect, test } from 'vitest'
let count = 0
test('what nobody can explore', async () => {
  const server = createServer((_, response) => response.end('text'))
  await new Promise((resolve) => server.listen(0, resolve))
  await new Promise((resolve) => ask(server.address().port, () => { count++; resolve() }))
  server.close()
  watchFile('package.json', () => {})
  unwatchFile('package.json')
  expect(count).toBe(1)
})`,
}

/** What the program changes there is put back, so that the run without control finds what the one before it has found. */
test('a test that is not explored passes as ever, whoever has called the program in the run before', async () => {
  const report = await run(project('listeners-of-others', files), '--', '--dpor')
  expect(report.test('what nobody can explore')).toMatchObject({ status: 'passed', found: { found: 'unexplored' } })
}, 60_000)
