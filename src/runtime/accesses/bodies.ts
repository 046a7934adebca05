import { each, type Family, type Operation } from './family.ts'
import { changes, looks, pure } from './operations.ts'
import { isObject } from './telling.ts'

/** Requests and responses: a body can be taken once. Blobs never change. */

/** An object that belongs to its owner: found by it, named after it. */
const component: Operation = (native) => (execution, receiver, args) => {
  const found: unknown = Reflect.apply(native, receiver, args as never[])
  // That of an older one may have been found by another way before.
  if (isObject(found) && isObject(receiver) && execution.identities.age(receiver) === 'of this execution') {
    execution.identities.derive(found, `${native.name} of ${execution.identities.of(receiver)}`)
  }
  return found
}

const taking = each(['text', 'json', 'arrayBuffer', 'blob', 'bytes', 'formData', 'clone'], changes)

const messages = [globalThis.Request, globalThis.Response] as readonly ({ prototype: object } | undefined)[]

export const bodies: readonly Family[] = [
  ...messages.map((message) => ({
    holder: message?.prototype,
    methods: taking,
    getters: { bodyUsed: looks, body: looks, headers: component, signal: component },
  })),
  { holder: globalThis.Blob?.prototype, methods: each(['text', 'arrayBuffer', 'bytes', 'slice', 'stream'], pure) },
  { holder: globalThis.Response, methods: each(['json', 'error', 'redirect'], pure) },
]
