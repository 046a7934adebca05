// @vitest-environment jsdom
import userEvent from '@testing-library/user-event'
import { expect, vi } from 'vitest'
import { dporTest } from 'vitest-dpor'

/** Stands on the page, alone. */
const onPage = (html: string): HTMLElement => {
  document.body.innerHTML = html
  return document.body.firstElementChild as HTMLElement
}

for (const isRight of [false, true]) {
  const kind = isRight ? 'without' : 'with a race'

  dporTest(`user-event, typing, ${kind}`, { interleave: 'event-loop', maxTime: 20_000 }, async () => {
    const find = vi.fn(async (text: string) => `result of ${text}`)
    const input = onPage('<input>') as HTMLInputElement
    let shown = ''
    input.addEventListener('input', async () => {
      const { value } = input
      const found = await find(value)
      if (!isRight || input.value === value) shown = found
    })
    await userEvent.type(input, 'ab')
    expect(shown).toBe('result of ab')
  })

  dporTest(`user-event, two clicks, ${kind}`, { interleave: 'event-loop', maxTime: 20_000 }, async () => {
    let sold = 0
    let isSold = false
    const buy = vi.fn(async () => void sold++)
    const button = onPage('<button>buy</button>')
    button.addEventListener('click', async () => {
      if (isSold) return
      if (isRight) isSold = true
      // What the platform defers comes before the next click as well.
      setTimeout(() => button.classList.add('pressed'), 0)
      await buy()
      isSold = true
    })
    await userEvent.dblClick(button)
    expect([sold, button.className]).toEqual([1, 'pressed'])
  })
}

dporTest('user-event, what is under way has come when a call is over', { interleave: 'event-loop', maxTime: 20_000 }, async () => {
  const save = vi.fn(async () => 'saved')
  const button = onPage('<button>save</button>')
  button.addEventListener('click', async () => void (button.textContent = await save()))
  const user = userEvent.setup()
  await user.click(button)
  expect(button.textContent).toBe('saved')
})
