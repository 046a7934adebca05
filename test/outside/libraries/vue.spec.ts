// @vitest-environment jsdom
import { flushPromises, mount } from '@vue/test-utils'
import { expect } from 'vitest'
import { defineComponent, h, ref } from 'vue'
import { race } from './race'

const load = async (text: string) => {
  await null
  return `result of ${text}`
}

race('vue component', ({ isRight }) => async () => {
  const Search = defineComponent({
    setup(_, { expose }) {
      const shown = ref('')
      let asked = ''
      const search = async (text: string) => {
        asked = text
        const found = await load(text)
        if (!isRight || asked === text) shown.value = found
      }
      expose({ search })
      return () => h('p', shown.value)
    },
  })
  const component = mount(Search)
  const { search } = component.vm as unknown as { search(text: string): Promise<void> }
  await Promise.all([search('a'), search('b')])
  await flushPromises()
  const text = component.text()
  component.unmount()
  expect(text).toBe('result of b')
})
