import { Reflect } from '../../engine/intrinsics.ts'
import { PageAddress } from './page-address.ts'
import { PageHistory } from './page-history.ts'
import { StoredItems } from './stored-items.ts'

/** As much of a node as is used here; the types of the DOM are not there in Node. */
interface DocumentNode {
  readonly childNodes: Iterable<DocumentNode>
  readonly attributes?: Iterable<{ readonly name: string; readonly value: string }>
  data?: string
  replaceChildren?(...nodes: DocumentNode[]): void
  setAttribute?(name: string, value: string): void
  removeAttribute?(name: string): void
}

interface Document {
  readonly documentElement?: DocumentNode | null
}

interface Contents {
  readonly node: DocumentNode
  readonly children: readonly DocumentNode[]
  readonly attributes: ReadonlyMap<string, string>
  readonly data: string | undefined
}

/** The document that a node belongs to, unless it is that of the test environment, which is put back anyway. */
export function otherDocumentOf(object: object): Document | undefined {
  // Getters of a DOM, which change nothing.
  const { ownerDocument, documentElement } = object as { readonly ownerDocument?: Document | null; readonly documentElement?: unknown }
  const document = ownerDocument ?? (documentElement === undefined ? undefined : (object as Document))
  return document === Reflect.get(globalThis, 'document') ? undefined : document
}

/** Nodes that are looked at, at most. */
const mostNodes = 5_000

/**
 * What there is of the test environment when an exploration begins: what stands in its document, what is stored, the page's address, its cookies. Each execution finds it so, whatever the one before has left: one that is given up cleans nothing up. What the user has typed, where the focus is
 * and what listens stays as it is.
 */
export class EnvironmentContents {
  readonly #document = new DocumentContents(Reflect.get(globalThis, 'document') as Document | undefined)
  readonly #stored = new StoredItems()
  readonly #address = new PageAddress()
  readonly #history = new PageHistory()

  restore(): void {
    this.#stored.restore()
    this.#address.restore()
    this.#history.restore()
    this.#document.restore()
  }
}

/** Elements, their attributes, text. */
export class DocumentContents {
  readonly #contents: readonly Contents[]

  constructor(document: Document | undefined) {
    const root = document?.documentElement
    const found: Contents[] = []
    const waiting = root ? [root] : []
    while (waiting.length > 0 && found.length < mostNodes) {
      const contents = contentsOf(waiting.pop()!)
      found.push(contents)
      waiting.push(...contents.children)
    }
    this.#contents = found
  }

  restore(): void {
    for (const before of this.#contents) {
      const { node, children, attributes, data } = before
      const now = contentsOf(node)
      if (now.children.length !== children.length || now.children.some((child, i) => child !== children[i])) node.replaceChildren?.(...children)
      for (const name of now.attributes.keys()) if (!attributes.has(name)) node.removeAttribute?.(name)
      for (const [name, value] of attributes) if (now.attributes.get(name) !== value) node.setAttribute?.(name, value)
      if (data !== undefined && now.data !== data) node.data = data
    }
  }
}

function contentsOf(node: DocumentNode): Contents {
  return {
    node,
    children: [...node.childNodes],
    attributes: new Map([...(node.attributes ?? [])].map(({ name, value }) => [name, value])),
    data: node.data,
  }
}
