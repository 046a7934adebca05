// @vitest-environment jsdom
import { render, screen } from '@testing-library/svelte'
import { tick } from 'svelte'
import { expect, test, vi } from 'vitest'
import Search from './Search.svelte'

for (const guarded of [false, true]) test(`a Svelte component, ${guarded ? 'without' : 'with a race'}`, async () => {
  const find = vi.fn(async (query: string) => `result of ${query}`)
  const { container, unmount } = render(Search, { find, guarded })
  screen.getByText('more').click()
  await tick()
  expect(find).toHaveBeenCalledTimes(2)
  await Promise.all(find.mock.results.map(({ value }) => value))
  await tick()
  expect(container.querySelector('p')!.textContent).toBe('result of ab')
  unmount()
})
