import { Reflect } from '../../engine/intrinsics.ts'
import { STATE } from '../execution/keys.ts'
import type { Family, Operation } from './family.ts'
import { named } from './operations.ts'
import { changed, isObject, recordWrite, seen } from './telling.ts'
import { readWhole } from './whole.ts'

/** A TextDecoder keeps the bytes of a character that was begun; a TextEncoder keeps nothing. A global object that stands for a browser may have none. */
const { TextDecoder, TextEncoder } = (globalThis.process as NodeJS.Process | undefined)?.getBuiltinModule?.('node:util') ?? globalThis

/** Decoders that may wait for the rest of a character. */
const waiting = new WeakSet<object>()

const decode: Operation = (native) => (execution, receiver, args, site) => {
  const options = args[1] as { stream?: unknown } | undefined
  const hadPart = isObject(receiver) && waiting.has(receiver)
  if (isObject(args[0])) readWhole(execution, args[0], site)
  if (isObject(receiver)) {
    // Asking whether there is a `stream` may run a getter, so any options count.
    if (hadPart || isObject(options)) changed(execution, receiver, STATE, site, undefined)
    else seen(execution, receiver, STATE, site, undefined)
    if (isObject(options)) waiting.add(receiver)
    else waiting.delete(receiver)
    if (!hadPart && isObject(options) && execution.identities.age(receiver) !== 'of this execution') forgetLater(execution, receiver, native)
  }
  return Reflect.apply(native, receiver, args as never[])
}

/** A decoder that waited for nothing before the execution waits for nothing after it. */
function forgetLater(execution: Parameters<ReturnType<Operation>>[0], decoder: object, native: (...args: never[]) => unknown): void {
  execution.journal.change(() => {
    try {
      Reflect.apply(native, decoder, [])
    } catch {
      // Half a character is an error to a strict decoder, and gone afterwards all the same.
    }
    waiting.delete(decoder)
  })
}

const encodeInto: Operation = (native) => (execution, receiver, args, site) => {
  const result = Reflect.apply(native, receiver, args as never[]) as { written: number }
  const target = args[1] as Uint8Array
  for (let i = 0; i < result.written; i++) recordWrite(execution, target, i, site, target[i])
  return named(execution, result)
}

export const textDecoders: Family = { holder: TextDecoder?.prototype, methods: { decode } }
export const textEncoders: Family = {
  holder: TextEncoder?.prototype,
  methods: { encode: (native) => (execution, receiver, args) => named(execution, Reflect.apply(native, receiver, args as never[])), encodeInto },
}
