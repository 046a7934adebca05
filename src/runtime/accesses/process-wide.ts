import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { STATE } from '../execution/keys.ts'
import { namedObject } from '../execution/named-objects.ts'
import { tellingFirst, type CallPlatform, type Fn, type Handler } from './handler.ts'
import { sends } from './structured-clone.ts'
import { beforeStateChange, changed, isObject, seen } from './telling.ts'

/** Functions of the platform that look at what belongs to the whole process, or change it: each has one location for all of that. */

interface Shared {
  readonly name: string
  readonly looks?: readonly unknown[]
  readonly changes: readonly unknown[]
  /** Before the first change of an execution: returns what puts it back. */
  readonly save?: () => () => void
}

const { process, URL, MessagePort, BroadcastChannel } = globalThis as Partial<Pick<typeof globalThis, 'process' | 'URL' | 'MessagePort' | 'BroadcastChannel'>>
const builtIn = (name: string): Record<string, unknown> => (process?.getBuiltinModule?.(name as 'node:util') ?? {}) as Record<string, unknown>
const threads = builtIn('node:worker_threads')
const streams = builtIn('node:stream')
const channels = builtIn('node:diagnostics_channel')

const shared: readonly Shared[] = [
  { name: 'the working directory', looks: [process?.cwd], changes: [process?.chdir], save: () => kept(process!.cwd(), (folder) => folder === process!.cwd() || process!.chdir(folder)) },
  { name: 'the mask of new files', changes: [process?.umask], save: () => kept(process!.umask(), process!.umask) },
  { name: 'who captures uncaught exceptions', looks: [process?.hasUncaughtExceptionCaptureCallback], changes: [process?.setUncaughtExceptionCaptureCallback] },
  { name: 'environment data', looks: [threads.getEnvironmentData], changes: [threads.setEnvironmentData] },
  { name: 'messages', changes: [threads.receiveMessageOnPort] },
  { name: 'object URLs', looks: [builtIn('node:buffer').resolveObjectURL], changes: [URL?.createObjectURL, URL?.revokeObjectURL] },
  { name: 'the default of streams', looks: [streams.getDefaultHighWaterMark], changes: [streams.setDefaultHighWaterMark] },
]

/** Once an execution is over, the function is called with what was there before it. */
const kept = <T>(before: T, put: (before: T) => unknown) => () => void put(before)

export function processWideHandlers(call: CallPlatform): (readonly [Fn, Handler])[] {
  const telling = (functions: readonly unknown[], tell: (execution: Execution, args: readonly unknown[], site: SiteId) => void): (readonly [Fn, Handler])[] =>
    functions.filter((fn): fn is Fn => typeof fn === 'function').map((fn) => [fn, tellingFirst(call, fn, (execution, _receiver, args, site) => tell(execution, args, site))])
  return [
    ...shared.flatMap(({ name, looks = [], changes, save }) => [
      ...telling(looks, (execution, _args, site) => execution.accesses.read(namedObject(execution, name), STATE, site, undefined)),
      ...telling(changes, (execution, _args, site) => {
        if (save) execution.journal.part(shared, name, save)
        execution.accesses.write(namedObject(execution, name), STATE, site, undefined)
      }),
    ]),
    ...telling([MessagePort?.prototype.postMessage, BroadcastChannel?.prototype.postMessage, (threads.Worker as { prototype: { postMessage: unknown } } | undefined)?.prototype.postMessage], sendsMessage),
    ...telling([channels.channel], (execution, [name]) => nameChannel(execution, name)),
    ...telling([channels.tracingChannel], (execution, [name]) => {
      if (typeof name === 'string') for (const part of partsOfGroup) nameChannel(execution, `tracing:${name}:${part}`)
    }),
    ...telling([channels.subscribe, channels.unsubscribe], ofChannel(channelChanges)),
    ...telling([channels.hasSubscribers], ofChannel(channelSeen)),
    ...tracingHandlers(call),
  ]
}

function sendsMessage(execution: Execution, args: readonly unknown[], site: SiteId): void {
  sends(execution, args, site)
  execution.accesses.write(namedObject(execution, 'messages'), STATE, site, undefined)
}

function channelChanges(execution: Execution, channel: object, site: SiteId): void {
  beforeStateChange(execution, channel)
  changed(execution, channel, STATE, site, undefined)
}

const channelSeen = (execution: Execution, channel: object, site: SiteId): void => seen(execution, channel, STATE, site, undefined)

/** A group of channels has no state but theirs. */
function tracingHandlers(call: CallPlatform): (readonly [Fn, Handler])[] {
  const made = (channels.tracingChannel as typeof import('node:diagnostics_channel').tracingChannel | undefined)?.('vitest-dpor')
  if (!made) return []
  const { subscribe, unsubscribe, hasSubscribers } = Object.getOwnPropertyDescriptors(Reflect.getPrototypeOf(made)) as Record<string, PropertyDescriptor | undefined>
  const telling = (fn: unknown, access: typeof channelChanges): (readonly [Fn, Handler])[] =>
    typeof fn === 'function' ? [[fn as Fn, tellingFirst(call, fn as Fn, (execution, group, _args, site) => {
      for (const channel of isObject(group) ? channelsOf(group) : []) access(execution, channel, site)
    })]] : []
  return [...telling(subscribe?.value, channelChanges), ...telling(unsubscribe?.value, channelChanges), ...telling(hasSubscribers?.get, channelSeen)]
}

const partsOfGroup = ['start', 'end', 'asyncStart', 'asyncEnd', 'error']

const channelsOf = (group: object): object[] => partsOfGroup.map((name) => Reflect.get(group, name) as unknown).filter(isObject)

/** Functions that are methods of the channel of the name that they are given. */
function ofChannel(access: typeof channelChanges): (execution: Execution, args: readonly unknown[], site: SiteId) => void {
  return (execution, [name], site) => {
    const channel = nameChannel(execution, name)
    if (channel) access(execution, channel, site)
  }
}

/** A channel is there for the whole process, whoever asks for it first, and is called by its name. */
function nameChannel(execution: Execution, name: unknown): object | undefined {
  if (typeof name !== 'string' && typeof name !== 'symbol') return undefined
  const channel = (channels.channel as (name: string | symbol) => object)(name)
  if (typeof name === 'string') execution.identities.derive(channel, `channels ${name}`)
  return channel
}
