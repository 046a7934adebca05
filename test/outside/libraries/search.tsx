import { act, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect } from 'vitest'
import { race } from './race'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const load = async (text: string) => {
  await null
  return `result of ${text}`
}

/** Shows the result of what was asked for last, if `isRight`. */
export const searchRaces = (name: string): void =>
  race(name, ({ isRight }) => async () => {
    const asked = { text: '' }
    let search!: (text: string) => Promise<void>
    function Search() {
      const [shown, show] = useState('')
      search = async (text) => {
        asked.text = text
        const found = await load(text)
        if (!isRight || asked.text === text) show(found)
      }
      return <p data-testid="shown">{shown}</p>
    }
    const { unmount } = render(<Search />)
    await act(async () => {
      await Promise.all([search('a'), search('b')])
    })
    const { textContent } = screen.getByTestId('shown')
    unmount()
    expect(textContent).toBe('result of b')
  })
