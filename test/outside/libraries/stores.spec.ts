import { configureStore, createAsyncThunk, createSlice } from '@reduxjs/toolkit'
import { produce } from 'immer'
import { atom, createStore as createAtoms } from 'jotai/vanilla'
import { autorun, makeAutoObservable, runInAction } from 'mobx'
import { atom as nano, computed as computedNano } from 'nanostores'
import { createPinia, defineStore, setActivePinia } from 'pinia'
import { proxy, snapshot, subscribe } from 'valtio/vanilla'
import { expect } from 'vitest'
import { computed, nextTick, reactive, watch } from 'vue'
import { assign, createActor, createMachine } from 'xstate'
import { createStore } from 'zustand/vanilla'
import { race } from './race'

race('zustand', ({ isRight }) => async () => {
  const store = createStore<{ n: number; add(): Promise<void> }>((set, get) => ({
    n: 0,
    add: async () => {
      const { n } = get()
      await null
      set(isRight ? (state) => ({ n: state.n + 1 }) : { n: n + 1 })
    },
  }))
  await Promise.all([store.getState().add(), store.getState().add()])
  expect(store.getState().n).toBe(2)
})

race('jotai', ({ isRight }) => async () => {
  const count = atom(0)
  const add = atom(null, async (get, set) => {
    const n = get(count)
    await null
    set(count, isRight ? (now) => now + 1 : n + 1)
  })
  const store = createAtoms()
  await Promise.all([store.set(add), store.set(add)])
  expect(store.get(count)).toBe(2)
})

race('@reduxjs/toolkit', ({ isRight }) => async () => {
  const load = createAsyncThunk('load', async (id: string) => {
    await null
    return id
  })
  const { reducer } = createSlice({
    name: 'shown',
    initialState: { asked: '', shown: '' },
    reducers: {},
    extraReducers: (builder) => {
      builder.addCase(load.pending, (state, { meta }) => {
        state.asked = meta.arg
      })
      builder.addCase(load.fulfilled, (state, { meta, payload }) => {
        if (!isRight || state.asked === meta.arg) state.shown = payload
      })
    },
  })
  const store = configureStore({ reducer })
  await Promise.all([store.dispatch(load('a')), store.dispatch(load('b'))])
  expect(store.getState().shown).toBe('b')
})

race('immer', ({ isRight }) => async () => {
  let state: { readonly items: readonly string[] } = { items: [] }
  const add = async (item: string) => {
    const before = state
    await null
    state = produce(isRight ? state : before, (draft) => void draft.items.push(item))
  }
  await Promise.all([add('a'), add('b')])
  expect(state.items).toHaveLength(2)
})

race('mobx', ({ isRight }) => async () => {
  class Cart {
    total = 0
    constructor() {
      makeAutoObservable(this)
    }
    async add(price: number) {
      const before = this.total
      await null
      runInAction(() => {
        this.total = (isRight ? this.total : before) + price
      })
    }
  }
  const cart = new Cart()
  let shown = 0
  const stop = autorun(() => {
    shown = cart.total
  })
  await Promise.all([cart.add(1), cart.add(2)])
  stop()
  expect(shown).toBe(3)
})

race('nanostores', ({ isRight }) => async () => {
  const count = nano(0)
  const twice = computedNano(count, (n) => n * 2)
  const add = async () => {
    const n = count.get()
    await null
    count.set((isRight ? count.get() : n) + 1)
  }
  await Promise.all([add(), add()])
  expect(twice.get()).toBe(4)
})

race('valtio', ({ isRight }) => async () => {
  const state = proxy({ n: 0 })
  let changes = 0
  subscribe(state, () => {
    changes++
  })
  const add = async () => {
    const { n } = state
    await null
    state.n = (isRight ? state.n : n) + 1
  }
  await Promise.all([add(), add()])
  expect(snapshot(state).n).toBe(2)
  expect(changes).toBeGreaterThanOrEqual(0)
})

race('xstate', ({ isRight }) => async () => {
  const machine = createMachine({
    context: { n: 0 },
    on: { set: { actions: assign({ n: ({ event }: any) => event.n }) }, add: { actions: assign({ n: ({ context }: any) => context.n + 1 }) } },
  } as any)
  const actor = createActor(machine).start() as any
  const add = async () => {
    const { n } = actor.getSnapshot().context
    await null
    actor.send(isRight ? { type: 'add' } : { type: 'set', n: n + 1 })
  }
  await Promise.all([add(), add()])
  expect(actor.getSnapshot().context.n).toBe(2)
})

race('pinia', ({ isRight }) => async () => {
  const useCart = defineStore('cart', {
    state: () => ({ total: 0 }),
    actions: {
      async add(price: number) {
        const before = this.total
        await null
        this.total = (isRight ? this.total : before) + price
      },
    },
  })
  setActivePinia(createPinia())
  const cart = useCart()
  await Promise.all([cart.add(1), cart.add(2)])
  expect(cart.total).toBe(3)
})

race('vue', ({ isRight }) => async () => {
  const state = reactive({ n: 0, log: [] as number[] })
  const twice = computed(() => state.n * 2)
  watch(() => state.n, (n) => void state.log.push(n))
  const add = async () => {
    const { n } = state
    await null
    state.n = (isRight ? state.n : n) + 1
  }
  await Promise.all([add(), add()])
  await nextTick()
  expect(twice.value).toBe(4)
})
