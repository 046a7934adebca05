import { Reflect } from '../../engine/intrinsics.ts'

const channels = globalThis.process?.getBuiltinModule?.('node:diagnostics_channel')

/** The prototype of channels of node:diagnostics_channel that somebody listens to: they are of another class then, which has no name. */
export const activeChannel: object | undefined = channels && prototypeOfActive(channels)

function prototypeOfActive({ channel }: typeof import('node:diagnostics_channel')): object | undefined {
  const listenedTo = channel(Symbol('active'))
  listenedTo.subscribe(() => {})
  return Reflect.getPrototypeOf(listenedTo) ?? undefined
}
