/** Elements, and a document on the global object, as test environments have them. */
const made = []

class TinyElement {
  #children = []
  #text = ''
  #listeners = []
  constructor() {
    made.push(this)
    this.made = made
  }
  get textContent() {
    return this.#text + this.#children.map((child) => child.textContent).join('')
  }
  set textContent(text) {
    this.#text = text
  }
  append(child) {
    this.#children.push(child)
  }
  listen(listener) {
    this.#listeners.push(listener)
  }
  type(text) {
    for (const listener of this.#listeners) listener(text)
  }
}

class TinyDocument extends TinyElement {
  createElement() {
    return new TinyElement()
  }
}

Object.assign(globalThis, { TinyElement, TinyDocument, document: new TinyDocument() })

const post = setImmediate

/** A component that draws its state in a turn of the event loop, as schedulers do. */
export function component(element, render) {
  let state
  return (next) => {
    state = next
    post(() => {
      element.textContent = render(state)
    })
  }
}

/** Waits until everything is drawn. */
export const drawn = () => new Promise((resolve) => post(resolve))
