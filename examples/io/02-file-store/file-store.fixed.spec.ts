import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeEach, expect } from 'vitest'
import { dporTest } from 'vitest-dpor'
import { FileStore } from './file-store.fixed.ts'

let file: string
beforeEach(async () => {
  file = path.join(await mkdtemp(path.join(tmpdir(), 'settings-')), 'settings.json')
  await writeFile(file, '{}')
})

dporTest('two settings are both kept', async () => {
  const store = new FileStore(file)
  await Promise.all([store.set('theme', 'dark'), store.set('language', 'de')])
  expect(await store.all()).toEqual({ theme: 'dark', language: 'de' })
})
