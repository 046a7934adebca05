import { runInNewContext } from 'node:vm'

/** Environments make theirs before anything of this package is there. */
const NativeProxy = runInNewContext('Proxy') as ProxyConstructor

/** As much of a page as tests have from happy-dom: `localStorage` is a Proxy with bound methods. */
class Storage {
  readonly #items: Record<string, string>

  constructor(items: Record<string, string>) {
    this.#items = items
  }

  getItem(name: string): string | null {
    return this.#items[name] ?? null
  }

  setItem(name: string, value: string): void {
    this.#items[name] = String(value)
  }

  removeItem(name: string): void {
    delete this.#items[name]
  }

  clear(): void {
    for (const name of Object.keys(this.#items)) delete this.#items[name]
  }

  key(index: number): string | null {
    return Object.keys(this.#items)[index] ?? null
  }
}

function newStorage(): object {
  const items: Record<string, string> = {}
  const storage = new Storage(items)
  const methods = new Map<PropertyKey, unknown>()
  return new NativeProxy(items, {
    get(_, name) {
      const method: unknown = Reflect.get(storage, name)
      if (typeof method !== 'function') return items[String(name)]
      if (!methods.has(name)) methods.set(name, (method as () => void).bind(storage))
      return methods.get(name)
    },
  })
}

const cookies = new Map<string, string>()

const document = {
  documentElement: null,
  get cookie() {
    return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  },
  set cookie(text: string) {
    const [name = '', value = ''] = text.split(';')[0]!.split('=')
    if (text.includes('expires=Thu, 01 Jan 1970')) cookies.delete(name)
    else cookies.set(name, value)
  },
}

const location = { href: 'http://localhost/' }

const history = {
  state: null as unknown,
  replaceState(state: unknown, _: string, url: string) {
    history.state = state
    location.href = new URL(url, location.href).href
  },
}

class CustomElementRegistry {
  readonly #defined = new Map<string, unknown>()

  define(name: string, element: unknown): void {
    if (this.#defined.has(name)) throw new Error(`${name} is defined already`)
    this.#defined.set(name, element)
  }
}

/** Puts a page on the global object. */
export function providePage(): void {
  Object.assign(globalThis, { Storage, CustomElementRegistry, customElements: new CustomElementRegistry(), document, location, history, localStorage: newStorage(), sessionStorage: newStorage() })
}

/** A function that hears what it is asked for. */
export function hearing(asked: string[]): () => number {
  return new NativeProxy(() => 1, { get: (target, key, receiver) => (asked.push(String(key)), Reflect.get(target, key, receiver)) })
}
