import { dporTest } from 'vitest-dpor'
import { expect } from 'vitest'
import { Library, sleep } from './library.ts'
import { SearchBox } from './search-box.fixed.ts'

// Run once, the answer to the first query arrives before Enter is pressed.
dporTest('the results belong to the last query', async () => {
  const box = new SearchBox(new Library())
  box.type('vi')
  await sleep(SearchBox.delay)
  await box.enter('vitest')
  await sleep(SearchBox.delay)

  expect(box.results).toEqual(['vitest', 'vitest-dpor'])
})
