// @vitest-environment jsdom
import { flushPromises, mount } from '@vue/test-utils'
import { expect, test, vi } from 'vitest'
import Search from './Search.vue'

for (const guarded of [false, true]) test(`a Vue component, ${guarded ? 'without' : 'with a race'}`, async () => {
  const wrapper = mount(Search, { props: { find: vi.fn(async (query: string) => `result of ${query}`), guarded } })
  await wrapper.find('button').trigger('click')
  await flushPromises()
  expect(wrapper.find('p').text()).toBe('result of ab')
})
