import type { CallPlatform, Fn, Handler } from '../handler.ts'
import { descriptorHandlers } from './descriptor-calls.ts'
import { handleHandlers } from './handles.ts'
import { folderHandlers } from './open-folders.ts'
import { pathHandlers } from './path-calls.ts'
import { fileStreamHandlers } from './streams.ts'
import type { Invoke } from './work.ts'

/** Functions of `node:fs`, by paths, descriptors, handles, folders and streams. */
export function fileHandlers(invoke: Invoke, callPlatform: CallPlatform): readonly (readonly [Fn, Handler])[] {
  const byPath = new Map(pathHandlers(invoke, callPlatform))
  const otherwise = (fn: Fn): CallPlatform => {
    const handler = byPath.get(fn)
    return handler ? (execution, _, receiver, args, site) => handler(execution, receiver, args, site) : callPlatform
  }
  return [...byPath, ...descriptorHandlers(invoke, otherwise), ...handleHandlers(callPlatform), ...fileStreamHandlers(callPlatform), ...folderHandlers(invoke, callPlatform)]
}
