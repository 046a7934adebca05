/** Code that is not instrumented: a test environment like jsdom, a renderer that draws into it, and work posted to the event loop. */

class FakeNode {
  readonly #children: FakeNode[] = []
  readonly #listeners = new Set<() => void>()
  #text = ''
  #parent: FakeNode | undefined

  get textContent(): string {
    return this.#text + this.#children.map((child) => child.textContent).join('')
  }
  set textContent(text: string) {
    this.#text = text
  }
  get parentNode(): FakeNode | undefined {
    return this.#parent
  }
  get children(): readonly FakeNode[] {
    return this.#children
  }
  append(child: FakeNode): void {
    child.#parent = this
    this.#children.push(child)
  }
  addEventListener(_type: string, listener: () => void): void {
    this.#listeners.add(listener)
  }
  removeEventListener(_type: string, listener: () => void): void {
    this.#listeners.delete(listener)
  }
  click(): void {
    for (const listener of this.#listeners) listener()
  }
  querySelector(text: string): FakeNode | undefined {
    return this.#children.find((child) => child.textContent === text)
  }
}

/** Everything that was ever made: what an element leads to grows from execution to execution. */
const all: FakeNode[] = []

class FakeDocument extends FakeNode {
  readonly all = all
  createElement(): FakeNode {
    const made = Object.assign(new FakeNode(), { document: this })
    all.push(made)
    return made
  }
}

/** Puts the environment on the global object, by accessors as test runners do; returns what takes it off again. */
export function setUpEnvironment(): () => void {
  const document = new FakeDocument()
  const names = { FakeNode, FakeDocument, document }
  // As Vitest has them for the window: without a name.
  const [add, remove] = [document.addEventListener.bind(document), document.removeEventListener.bind(document)]
  Object.assign(globalThis, { addEventListener: (() => (...args: [string, () => void]) => add(...args))(), removeEventListener: remove })
  for (const [name, value] of Object.entries(names)) Object.defineProperty(globalThis, name, { get: () => value, configurable: true })
  return () => {
    for (const name of [...Object.keys(names), 'addEventListener', 'removeEventListener']) Reflect.deleteProperty(globalThis, name)
  }
}

/** A component with a state of its own, which it shows in an element. */
export function render(into: { textContent: string }): (state: string) => void {
  return (state) => {
    into.textContent = state
  }
}

const nativeSetImmediate = setImmediate

/** Calls back in a later turn of the event loop, by a function that nobody could replace. */
export function post(callback: () => void): void {
  nativeSetImmediate(callback)
}

/** Waits for what was posted. */
export const flush = (): Promise<void> => new Promise((resolve) => void nativeSetImmediate(resolve))

/** A value behind an accessor. */
export class Signal<T> {
  held: T
  constructor(value: T) {
    this.held = value
  }
  get value(): T {
    return this.held
  }
  set value(value: T) {
    this.held = value
  }
}

/** A query as testing libraries have them: it looks for elements by their texts. */
export function queryAllByText(container: FakeNode, text: string | ((found: string) => boolean)): FakeNode[] {
  const isIt = typeof text === 'string' ? (found: string) => found === text : text
  return container.children.filter(({ textContent }) => isIt(textContent))
}

/** The same, and the runtime knows it. */
export const knownQuery: typeof queryAllByText = (container, text) => queryAllByText(container, text)
;(globalThis as { __dpor?: { connects(name: string, exported: unknown): void } }).__dpor?.connects('document queries', knownQuery)
