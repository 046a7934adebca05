import { Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { each, type Family, type Operation } from './family.ts'
import { changeState, named } from './operations.ts'
import { isObject, lookAtKeys } from './telling.ts'
import { isIterator, walkOf, walksOver } from './walks.ts'
import { readWhole } from './whole.ts'

/** Iterators of the platform and generators have a position, which those who share them compete for. */

/** By iterators that are not known to be of an execution: that which has moved it on first, and what all of its exploration have. */
const moved = new WeakMap<object, { readonly execution: Execution; readonly drawn: object }>()

/** Nobody can move an iterator back: what a later execution of the same exploration finds is not what the first one did. */
function noteMoved(execution: Execution, iterator: object): void {
  if (execution.identities.age(iterator) === 'of this execution') return
  const { drawn } = execution
  const before = moved.get(iterator)
  if (before?.drawn !== drawn) {
    moved.set(iterator, { execution, drawn })
    // Another exploration has met it.
    if (before) execution.journal.loses('how far an iterator, or a generator, has come')
  }
  else if (before.execution !== execution) execution.findsMoved = true
}

/** The iterator moves on, and so does what it takes from; it looks at what it walks over. */
export function recordNext(execution: Execution, iterator: object, site: SiteId): void {
  noteMoved(execution, iterator)
  changeState(execution, iterator, site)
  const walk = walkOf(iterator)
  if (!walk || walk.seen === execution.stepCount) return
  walk.seen = execution.stepCount
  if (walk.isOfKeys) lookAtKeys(execution, walk.source, site)
  else if (isIterator(walk.source)) recordNext(execution, walk.source, site)
  else readWhole(execution, walk.source, site)
}

/** Takes one value, or all that are left. */
const taking: Operation = (native) => (execution, receiver, args, site) => {
  if (isIterator(receiver)) recordNext(execution, receiver, site)
  const result: unknown = Reflect.apply(native, receiver, args as never[])
  // What `find` and `reduce` give is not new.
  return native.name === 'next' || native.name === 'toArray' ? named(execution, result) : result
}

/** A new iterator that takes from this one when it is asked. */
const deriving: Operation = (native) => (execution, receiver, args) => {
  const result: unknown = named(execution, Reflect.apply(native, receiver, args as never[]))
  if (isObject(result) && isObject(receiver)) walksOver(result, receiver)
  return result
}

/** `Iterator.from`: the iterator itself, its own kind of iterator, or one around it. */
const from: Operation = (native) => (execution, receiver, args) => {
  const result: unknown = Reflect.apply(native, receiver, args as never[])
  if (result === args[0] || !isObject(result)) return result
  if (isObject(args[0])) walksOver(result, args[0])
  return named(execution, result)
}

const prototypeOf = (object: object): object => Reflect.getPrototypeOf(object)!

const prototypes = [
  [].values(), new Map().values(), new Set().values(), ''[Symbol.iterator](), ''.matchAll(/a/g),
  new Intl.Segmenter().segment('')[Symbol.iterator](),
  ...[globalThis.URLSearchParams, globalThis.Headers, globalThis.FormData].flatMap((kind) => (kind ? [new kind().entries()] : [])),
].map(prototypeOf)

const generatorPrototype = prototypeOf(prototypeOf((function* () {})()))

/** Where the platform has them. */
const helpers = (globalThis as { Iterator?: { prototype: object; from?: (value: unknown) => object } }).Iterator
const mapOf = helpers && (Reflect.get(helpers.prototype, 'map') as ((this: object, mapper: unknown) => object) | undefined)
const derived = mapOf && prototypeOf(Reflect.apply(mapOf, [].values(), [(value: unknown) => value]))
const wrapped = helpers?.from && prototypeOf(helpers.from({ next: () => ({ done: true, value: undefined }) }))

const stepping = each(['next', 'return', 'throw'], taking)

export const iterators: readonly Family[] = [
  ...[...prototypes, generatorPrototype, derived, wrapped].map((holder) => ({ holder, methods: stepping })),
  {
    holder: helpers?.prototype ?? undefined,
    methods: {
      ...each(['map', 'filter', 'take', 'drop', 'flatMap'], deriving),
      ...each(['toArray', 'forEach', 'reduce', 'some', 'every', 'find'], taking),
    },
  },
  { holder: helpers as object | undefined, methods: { from } },
]
