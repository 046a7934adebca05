import { dporTest } from 'vitest-dpor'
import { expect } from 'vitest'
import { createStore } from 'tiny-store'

interface Cart {
  readonly total: number
  readonly items: readonly string[]
  stale(sku: string): Promise<void>
  fresh(sku: string): Promise<void>
}

const priceOf = async (sku: string) => sku.length

const makeCart = (): { getState(): Cart } =>
  createStore((set: any, get: () => Cart) => ({
    total: 0,
    items: [],
    async stale(sku: string) {
      const { total, items } = get()
      const price = await priceOf(sku)
      set({ total: total + price, items: [...items, sku] })
    },
    async fresh(sku: string) {
      const price = await priceOf(sku)
      set(({ total, items }: Cart) => ({ total: total + price, items: [...items, sku] }))
    },
  }))

const ofModule = makeCart()

for (const [name, add] of [['with a race', 'stale'], ['without', 'fresh']] as const) {
  dporTest(`a cart of its own, ${name}`, async () => {
    const cart = makeCart()
    await Promise.all([cart.getState()[add]('mug'), cart.getState()[add]('glass')])
    expect(cart.getState().total).toBe(8)
  })

  dporTest(`a cart of a module, ${name}`, async () => {
    await Promise.all([ofModule.getState()[add]('mug'), ofModule.getState()[add]('glass')])
    expect(ofModule.getState().total).toBe(8)
  })
}
