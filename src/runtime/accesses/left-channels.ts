import { Reflect } from '../../engine/intrinsics.ts'
import type { Execution } from '../execution/execution.ts'

const { MessageChannel, BroadcastChannel } = globalThis

/** A channel for messages keeps Node's event loop alive: where an execution has made it, and does not come to close it, nobody else does. */
export function noticeChannel(execution: Execution, constructor: unknown, made: object): void {
  const port: unknown = constructor === MessageChannel ? Reflect.get(made, 'port1') : constructor === BroadcastChannel ? made : undefined
  if (port === undefined) return
  execution.whenAbandoned(() => {
    if (!execution.isLeft) (port as { close(): void }).close()
  })
}
