import { afterEach, expect, test } from 'vitest'
import { explore } from '../../src/runtime/index.ts'
import { EnvironmentContents } from '../../src/runtime/execution/document.ts'

/** As much of an element as the document is put back by. */
class Element {
  childNodes: Element[] = []
  data: string | undefined
  readonly #attributes = new Map<string, string>()

  constructor(...children: (Element | string)[]) {
    for (const child of children) {
      const node = typeof child === 'string' ? new Element() : child
      if (typeof child === 'string') node.data = child
      this.childNodes.push(node)
    }
  }
  get attributes() {
    return [...this.#attributes].map(([name, value]) => ({ name, value }))
  }
  setAttribute(name: string, value: string) {
    this.#attributes.set(name, value)
  }
  removeAttribute(name: string) {
    this.#attributes.delete(name)
  }
  replaceChildren(...children: Element[]) {
    this.childNodes = children
  }
}

afterEach(() => void Reflect.deleteProperty(globalThis, 'document'))

function documentOf(root: Element | undefined): Element | undefined {
  Reflect.set(globalThis, 'document', { documentElement: root })
  return root
}

test('elements, attributes and text are put back', () => {
  const text = new Element('before')
  const app = new Element(text)
  const root = documentOf(new Element(new Element(), app))!
  app.setAttribute('class', 'a')
  const contents = new EnvironmentContents()
  const { childNodes } = app
  app.childNodes = [new Element('other'), ...childNodes]
  root.childNodes = []
  app.setAttribute('class', 'b')
  app.setAttribute('id', 'x')
  text.childNodes[0]!.data = 'after'
  contents.restore()
  expect(root.childNodes).toContain(app)
  expect(app.childNodes).toEqual([text])
  expect(app.attributes).toEqual([{ name: 'class', value: 'a' }])
  expect(text.childNodes[0]!.data).toBe('before')
})

test('without a document there is nothing to put back', () => {
  new EnvironmentContents().restore()
  documentOf(undefined)
  expect(() => new EnvironmentContents().restore()).not.toThrow()
})

test('each execution finds the document as the first one did', async () => {
  const body = new Element()
  documentOf(new Element(body))
  const found: number[] = []
  const task = async (): Promise<void> => {
    found.push(body.childNodes.length)
    body.childNodes = [...body.childNodes, new Element()]
  }
  await explore({ tasks: [task] })
  expect(new Set(found)).toEqual(new Set([0]))
  expect(found.length).toBeGreaterThan(1)
  expect(body.childNodes).toEqual([])
})
