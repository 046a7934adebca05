/** A store in a closure. */
export function createStore(make) {
  let state
  const set = (change) => {
    state = { ...state, ...(typeof change === 'function' ? change(state) : change) }
  }
  const get = () => state
  state = make(set, get)
  return { getState: get, setState: set }
}
