/** Code that is not instrumented: windows as JSDOM makes them, which are nowhere on the global object. Its classes say their names, as those of a DOM do. */

const named = (prototype: object, name: string): void => void Object.defineProperty(prototype, Symbol.toStringTag, { value: name, configurable: true })

const stores = new WeakMap<object, Map<string, string>>()

class Storage {
  getItem(name: string): string | null {
    return stores.get(this)!.get(name) ?? null
  }
  setItem(name: string, value: string): void {
    stores.get(this)!.set(name, value)
  }
  removeItem(name: string): void {
    stores.get(this)!.delete(name)
  }
}
named(Storage.prototype, 'Storage')

/** Its items are properties as well, which only a Proxy can show. */
function newStorage(): Storage {
  const items = new Map<string, string>()
  const store = new Proxy(new Storage(), {
    get: (target, key) => (items.has(String(key)) ? items.get(String(key)) : Reflect.get(target, key)),
    set: (_, key, value) => (items.set(String(key), String(value)), true),
    deleteProperty: (_, key) => (items.delete(String(key)), true),
    ownKeys: () => [...items.keys()],
    getOwnPropertyDescriptor: (_, key) => (items.has(String(key)) ? { value: items.get(String(key)), enumerable: true, configurable: true, writable: true } : undefined),
  })
  stores.set(store, items)
  return store
}

class EventTarget {
  readonly #listeners = new Set<(event: string) => void>()
  addEventListener(_type: string, listener: (event: string) => void): void {
    this.#listeners.add(listener)
  }
  removeEventListener(_type: string, listener: (event: string) => void): void {
    this.#listeners.delete(listener)
  }
  dispatchEvent(event: string): void {
    for (const listener of this.#listeners) listener(event)
  }
}
named(EventTarget.prototype, 'EventTarget')

class Element extends EventTarget {
  readonly childNodes: Element[] = []
  readonly #attributes = new Map<string, string>()
  readonly ownerDocument: Document | null
  constructor(document: Document | null) {
    super()
    this.ownerDocument = document
  }
  get attributes(): { name: string; value: string }[] {
    return [...this.#attributes].map(([name, value]) => ({ name, value }))
  }
  getAttribute(name: string): string | null {
    return this.#attributes.get(name) ?? null
  }
  setAttribute(name: string, value: string): void {
    this.#attributes.set(name, value)
  }
  removeAttribute(name: string): void {
    this.#attributes.delete(name)
  }
  append(child: Element): void {
    this.childNodes.push(child)
  }
  replaceChildren(...children: Element[]): void {
    this.childNodes.splice(0, Infinity, ...children)
  }
}

class Document extends Element {
  readonly documentElement: Element
  constructor() {
    super(null)
    this.documentElement = new Element(this)
  }
  createElement(): Element {
    return new Element(this)
  }
}

class Window extends EventTarget {
  readonly document = new Document()
  readonly localStorage = newStorage()
}

export const openWindow = (): Window => new Window()

/** A renderer of a package. */
export function render(into: { setAttribute(name: string, value: string): void }, text: string): void {
  into.setAttribute('text', text)
}
