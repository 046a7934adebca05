import type { SiteId } from '../../../engine/ids.ts'
import type { Execution } from '../../execution/execution.ts'
import { running } from '../../execution/running.ts'
import { forgetListening, messagesOf, rememberListening, telling, type Listening } from '../messages.ts'
import type { RedisFunction } from './asking.ts'
import type { RedisClient } from './client.ts'
import type { Command } from './commands.ts'

const subscribing = new Set(['subscribe', 'psubscribe', 'ssubscribe'])
const unsubscribing = new Set(['unsubscribe', 'punsubscribe', 'sunsubscribe'])

const listeningOf = ({ object, isOpen, send }: RedisClient): Listening => ({ object, name: 'message', isOpen, haveCome: () => send({ name: 'ping', args: [] }) })

/** The running step asks this. */
export function followSubscriptions(execution: Execution, client: RedisClient, { commands, site }: { readonly commands: readonly Command[]; readonly site: SiteId }): void {
  if (commands.some(({ name }) => subscribing.has(name))) messagesOf(execution).listens(listeningOf(client), site)
  if (commands.some(({ name }) => unsubscribing.has(name))) messagesOf(execution).stopsListening(client.object)
}

/** A client is asked this while no step runs. */
export function rememberSubscription({ name, args }: Command, clientOf: () => RedisClient): void {
  if (running !== null || !(subscribing.has(name) || unsubscribing.has(name))) return
  const channels = args.map((channel) => `${kindOf(name)} ${channel}`)
  if (subscribing.has(name)) return rememberListening(listeningOf(clientOf()), channels)
  // Without channels: to none of this kind.
  if (channels.length > 0) forgetListening(clientOf().object, channels)
}

/** Of channels by their name, by a pattern, of a shard: `psub`. */
const kindOf = (command: string): string => command.replace(/^(.?)(?:un)?sub.*/, '$1sub')

const events = new Set<unknown>(['message', 'pmessage', 'smessage'].flatMap((event) => [event, `${event}Buffer`]))

/** A function of clients that tells their listeners: of a message when it is its turn. */
export const tellingMessages = (emit: RedisFunction, otherwise = emit): RedisFunction => telling(emit, events, otherwise)
