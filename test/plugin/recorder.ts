import type { Elements, Emitted, PatternShape } from '../../src/runtime/calls/emitted.ts'
import { inert } from '../../src/runtime/calls/inert.ts'
import { placeOf } from '../../src/runtime/execution/sources.ts'

/** A runtime that does what the inert one does and notes each call: what it is about, and where. */
export function recorder(): { runtime: Emitted; events: string[] } {
  const events: string[] = []
  const note = (kind: string, site: number, more = ''): void => {
    const place = placeOf(site)
    events.push(`${kind} ${place ? `${place.text} @${place.line}:${place.column}` : 'somewhere'}${more}`)
  }
  const noteElements = (elements: Elements | undefined): void => {
    if (!elements) return
    for (const shape of [elements.each, ...(elements.items ?? [])]) noteShape(shape)
  }
  const noteShape = (shape: PatternShape | Elements | null | undefined): void => {
    if (!shape) return
    if ('site' in shape) {
      note('elements', shape.site)
      return noteElements(shape)
    }
    for (const entry of shape) {
      if (!entry) events.push('all')
      else {
        note('take', entry[1])
        noteShape(entry[2])
      }
    }
  }
  const unseen = (unused: true | undefined): string => (unused ? ', unseen' : '')
  const runtime: Emitted = {
    ...inert,
    get: (object, key, site) => (note('get', site), inert.get(object, key, site)),
    set: (object, key, value, site) => (note('set', site), inert.set(object, key, value, site)),
    update: (object, key, site, next) => (note('update', site), inert.update(object, key, site, next)),
    assignIf: (object, key, site, operator, value) => (note(`assign ${operator}`, site), inert.assignIf(object, key, site, operator, value)),
    increment: (object, key, site, by, prefix, unused) => (note(by > 0 ? 'increment' : 'decrement', site, unseen(unused)), inert.increment(object, key, site, by, prefix)),
    increasing: (object, key, site, sign) => (note(sign > 0 ? 'increase' : 'decrease', site), inert.increasing(object, key, site, sign)),
    reading: (object, key, site) => (note('get', site), inert.reading(object, key, site)),
    assigned: (found, value) => (note('set', found.site), inert.assigned(found, value)),
    remove: (object, key, site) => (note('remove', site), inert.remove(object, key, site)),
    has: (key, object, site) => (note('has', site), inert.has(key, object, site)),
    instanceOf: (value, type, site) => (note('instance of', site), inert.instanceOf(value, type, site)),
    call: (object, key, site, args, unused) => (note('call', site, ` (${args.length})${unseen(unused)}`), inert.call(object, key, site, args)),
    found: (object, key, site) => (note('find', site), inert.found(object, key, site)),
    callFound: (found, args, unused) => (note('call', found.site, ` (${args.length})${unseen(unused)}`), inert.callFound(found, args)),
    callIf: (object, key, site, args, rest, unused) => (note('call if', site, unseen(unused)), inert.callIf(object, key, site, args, rest)),
    construct: (constructor, site, args) => (note('construct', site, ` (${args.length})`), inert.construct(constructor, site, args)),
    made: (value, site) => (note('made', site), value),
    reference: (object, key, site) => (note('reference', site), inert.reference(object, key, site)),
    privateGet: (object, key, site, value) => (note('private get', site), inert.privateGet(object, key, site, value)),
    privateSet: (object, key, site, find, value, restore) => (note('private set', site), inert.privateSet(object, key, site, find, value, restore)),
    privateIncrements: (object, key, site, old, by, restore, unused) => (note('private increment', site, unseen(unused)), inert.privateIncrements(object, key, site, old, by, restore)),
    privateIncreases: (object, key, site, old, sign, operand, restore) => (note(sign > 0 ? 'private increase' : 'private decrease', site), inert.privateIncreases(object, key, site, old, sign, operand, restore)),
    privateReference: (object, key, site, get, set) => (note('private reference', site), inert.privateReference(object, key, site, get, set)),
    pattern: (value, shape) => (noteShape(shape), inert.pattern(value, shape)),
    iterate: (iterable, site, elements) => (note('iterate', site), noteElements(elements), inert.iterate(iterable, site, elements)),
    iterateAsync: (iterable, site, elements) => (note('iterate async', site), noteElements(elements), inert.iterateAsync(iterable, site, elements)),
    enumerate: (object, site) => (note('enumerate', site), inert.enumerate(object, site)),
    live: (_name, site, value) => (note('live', site), value),
    paired: (value, _setter, site) => (note('paired', site), value),
    pair: (list, site) => (note('pair', site), list),
    read: (scope, name, site, value) => (note('read', site), inert.read(scope, name, site, value)),
    write: (scope, name, site, old, value, restore) => (note('write', site, ` = ${String(value)}`), inert.write(scope, name, site, old, value, restore)),
    increments: (scope, name, site, old, by, restore, unused) => (note('increments', site, unseen(unused)), inert.increments(scope, name, site, old, by, restore)),
    increases: (scope, name, site, old, sign, operand, restore) => (note(sign > 0 ? 'increases' : 'decreases', site, ` by ${String(operand)}`), inert.increases(scope, name, site, old, sign, operand, restore)),
    variable: (scope, name, site, get, set) => (note('variable', site), inert.variable(scope, name, site, get, set)),
    run: (body, name, site) => (note(`run ${name}`, site), inert.run(body, name, site)),
    suspend: (value, site) => (note('suspend', site), inert.suspend(value, site)),
    generate: (generator, name, site) => (note(`generate ${name}`, site), inert.generate(generator, name, site)),
  }
  return { runtime, events }
}
