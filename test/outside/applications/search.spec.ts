import { dporTest } from 'vitest-dpor'
import { expect } from 'vitest'
import { component, drawn } from 'tiny-dom'

const find = async (text: string) => {
  await null
  return `found ${text}`
}

for (const isGuarded of [false, true])
  dporTest(`search as you type, ${isGuarded ? 'without' : 'with a race'}`, async () => {
    const { document } = globalThis as any
    const [page, input, list] = [document.createElement(), document.createElement(), document.createElement()]
    page.append(list)
    const show = component(list, (text: string) => text)
    let latest = ''
    const searches: Promise<void>[] = []
    const search = async (text: string) => {
      latest = text
      const found = await find(text)
      if (isGuarded && latest !== text) return
      show(found)
    }
    input.listen((text: string) => searches.push(search(text)))
    input.type('a')
    input.type('ab')
    await Promise.all(searches)
    await drawn()
    expect(page.textContent).toBe('found ab')
  })
