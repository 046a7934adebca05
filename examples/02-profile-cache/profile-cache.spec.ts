import { dporTest } from 'vitest-dpor'
import { expect } from 'vitest'
import { Database, mayRead } from './database.ts'
import { ProfileCache } from './profile-cache.ts'

// Run once, the header has filled the cache before the feed gets to ask for the profile.
dporTest('a page that shows a profile twice loads it once', async () => {
  const database = new Database()
  const profiles = new ProfileCache(database)
  const header = async () => (await profiles.get('ada')).name
  const feed = async () => ((await mayRead('alan', 'ada')) ? (await profiles.get('ada')).name : 'hidden')

  expect(await Promise.all([header(), feed()])).toEqual(['Ada Lovelace', 'Ada Lovelace'])
  expect(database.loaded).toEqual(['ada'])
})
