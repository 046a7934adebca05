import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { inContext } from '../execution/contexts.ts'
import type { Execution } from '../execution/execution.ts'
import type { Continuation, Process } from '../execution/process.ts'
import { running } from '../execution/running.ts'
import { deferred } from '../promises/capability.ts'
import { asGiven, fileOperations, fs, isUsual, onlyLooks, tellFiles } from './file-system.ts'
import type { CallPlatform, Fn, Handler } from './handler.ts'
import { nameNew } from './new-graphs.ts'
import { lookAtGiven } from './platform-looks.ts'
import { makesTemporaryFolder, temporaryFolder } from './temporary-folders.ts'

/**
 * Functions of `node:fs` that take paths. One that answers later is a process of one step, in which all of it is done: nobody can choose in which
 * order the platform does what it was asked for, and so it is asked only when it is its turn.
 */

type Calls = (execution: Execution, fn: Fn, args: unknown[], site: SiteId) => unknown

class FileWork implements Continuation {
  readonly queue = 'turns'
  readonly process: Process
  readonly site: SiteId
  readonly #work: () => void

  constructor(execution: Execution, name: string, site: SiteId, work: () => void) {
    this.process = execution.spawn(name)
    this.site = site
    this.#work = work
  }

  resume(): void {
    const execution = running!
    execution.enter(null)
    try {
      this.#work()
    } catch (error) {
      execution.uncaught(error)
    }
  }

  delegate(): undefined {
    return undefined
  }
}

interface Done {
  readonly error?: unknown
  readonly value?: unknown
}

/** Does it, by the form of the function that does it at once. */
function perform(execution: Execution, name: string, args: unknown[], site: SiteId): unknown {
  if (name === 'mkdtemp') return makeTemporaryFolder(execution, args, site)
  let found: unknown
  if (!onlyLooks(name)) tellFiles(execution, name, args, site)
  try {
    const value: unknown = Reflect.apply(atOnce.get(name)!, fs, args)
    nameNew(execution, value)
    return (found = value)
  } catch (error) {
    nameNew(execution, error)
    throw error
  } finally {
    if (onlyLooks(name)) tellFiles(execution, name, args, site, found)
  }
}

function makeTemporaryFolder(execution: Execution, [prefix]: unknown[], site: SiteId): string {
  const folder = temporaryFolder(execution, prefix as string)
  perform(execution, 'mkdir', [folder, 0o700], site)
  return folder
}

function done(execution: Execution, name: string, args: unknown[], site: SiteId): Done {
  try {
    return { value: perform(execution, name, args, site) }
  } catch (error) {
    return { error }
  }
}

/** `fs.readFile(path, callback)` */
function callingBack(name: string, invoke: Invoke): Calls {
  return (execution, fn, args, site) => {
    lookAtGiven(execution, fn, args, site)
    const callback = args.at(-1) as Fn
    const given = args.slice(0, -1).map(asGiven)
    const calls = inContext((...results: unknown[]) => invoke(execution, callback, undefined, results, site))
    const work = (): void => {
      const { error, value } = done(execution, name, given, site)
      if (name === 'exists') calls(value === true)
      else if (error !== undefined) calls(error)
      else if (value === undefined) calls(null)
      else calls(null, value)
    }
    execution.wake(new FileWork(execution, callback.name || fn.name, site, work))
    return undefined
  }
}

/** `fs.promises.readFile(path)` */
function promising(name: string): Calls {
  return (execution, fn, args, site) => {
    lookAtGiven(execution, fn, args, site)
    const { promise, resolve, reject } = deferred(execution, site)
    const given = args.map(asGiven)
    const work = (): void => {
      const { error, value } = done(execution, name, given, site)
      if (error === undefined) resolve(value)
      else reject(error)
    }
    execution.wake(new FileWork(execution, fn.name, site, work))
    return promise
  }
}

const promisify = Symbol.for('nodejs.util.promisify.custom')

/** What `util.promisify` makes of a function is known here too. */
function promisifiedTo(fn: object, promised: unknown): void {
  if (!(promisify in fn)) Object.defineProperty(fn, promisify, { value: promised, configurable: true })
}

const atOnce = new Map<string, Fn>()

type Invoke = (execution: Execution, fn: Fn, receiver: unknown, args: unknown[], site: SiteId) => unknown

export function fileHandlers(invoke: Invoke, otherwise: CallPlatform): readonly (readonly [Fn, Handler])[] {
  if (!fs) return []
  const handlers: (readonly [Fn, Handler])[] = []
  const add = (fn: unknown, accepts: (args: readonly unknown[]) => boolean, calls: Calls): void => {
    if (typeof fn !== 'function') return
    handlers.push([fn as Fn, (execution, receiver, args, site) => (accepts(args) ? calls(execution, fn as Fn, args, site) : otherwise(execution, fn as Fn, receiver, args, site))])
  }
  for (const name of [...fileOperations, 'mkdtemp']) {
    const sync = Reflect.get(fs, `${name}Sync`) as Fn | undefined
    if (!sync) continue
    atOnce.set(name, sync)
    const takes = (args: readonly unknown[]): boolean => (name === 'mkdtemp' ? makesTemporaryFolder(args) : isUsual(name, args))
    add(sync, takes, (execution, fn, args, site) => {
      lookAtGiven(execution, fn, args, site)
      return perform(execution, name, args, site)
    })
    const later: unknown = Reflect.get(fs, name)
    const promised: unknown = Reflect.get(fs.promises, name)
    add(later, (args) => typeof args.at(-1) === 'function' && takes(args), callingBack(name, invoke))
    add(promised, takes, promising(name))
    if (typeof later === 'function' && promised) promisifiedTo(later, promised)
  }
  return handlers
}
