import { chai, type ExpectStatic } from 'vitest'
import { assertionsExtended, standsForPlatform } from '../runtime/index.ts'

/** What `expect.extend`, `expect.addEqualityTesters` and `expect.addSnapshotSerializer` add is there for all assertions of the test file from then on, and gone after the execution that has added it. */

interface Library {
  readonly matchers: object
  readonly customEqualityTesters: unknown[]
}

const library = (): Library | undefined => Reflect.get(globalThis, Symbol.for('$$jest-matchers-object')) as Library | undefined

/** All that a new matcher becomes a property of. */
function holdersOf(one: ExpectStatic): readonly object[] {
  const found: unknown[] = [library()?.matchers, chai.Assertion.prototype, one, one.not, Reflect.get(globalThis, Symbol.for('asymmetric-matchers-object'))]
  return found.filter((holder): holder is object => (typeof holder === 'object' && holder !== null) || typeof holder === 'function')
}

function kept(holder: object, name: PropertyKey): () => void {
  const before = Reflect.getOwnPropertyDescriptor(holder, name)
  return () => void (before ? Reflect.defineProperty(holder, name, before) : Reflect.deleteProperty(holder, name))
}

export function tellExtending(one: ExpectStatic): void {
  const { extend, addEqualityTesters, addSnapshotSerializer } = one
  const extending: typeof extend = (matchers) => {
    for (const holder of holdersOf(one)) for (const name of Object.keys(matchers)) assertionsExtended(holder, name, () => kept(holder, name))
    return extend(matchers)
  }
  const addingTesters: typeof addEqualityTesters = (testers) => {
    const all = library()?.customEqualityTesters
    if (all) {
      const { length } = all
      assertionsExtended(all, 'length', () => () => void (all.length = length))
    }
    return addEqualityTesters(testers)
  }
  // There is no way to take one away again: it is there for nothing then.
  const addingSerializer: typeof addSnapshotSerializer = (serializer) => {
    let isThere = true
    const added = Object.create(serializer, { test: { value: (value: unknown) => isThere && serializer.test(value) } }) as typeof serializer
    assertionsExtended(added, 'test', () => () => void (isThere = false))
    return Reflect.apply(addSnapshotSerializer, one, [added])
  }
  standsForPlatform(extending)
  standsForPlatform(addingTesters)
  standsForPlatform(addingSerializer)
  one.extend = extending
  one.addEqualityTesters = addingTesters
  one.addSnapshotSerializer = addingSerializer
}
