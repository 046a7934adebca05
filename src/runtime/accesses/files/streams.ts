import { Object, Reflect } from '../../../engine/intrinsics.ts'
import type { SiteId } from '../../../engine/ids.ts'
import type { Execution } from '../../execution/execution.ts'
import { calledByProgram } from '../../execution/replaced-tools.ts'
import type { CallPlatform, Fn, Handler } from '../handler.ts'
import { changeLinked } from '../linked.ts'
import { nameNew } from '../new-graphs.ts'
import { isObject } from '../telling.ts'
import { closeNumber, openAt, readInto, toRead, writeFrom, writeFromAll } from './descriptor-calls.ts'
import { fs } from './named-files.ts'
import { canBeOpened } from './open-files.ts'
import { FileWork, outcomeOf, type Deed } from './work.ts'

/**
 * Streams of files: Node lets whoever makes one say by which functions it opens, reads, writes and closes. Here each of these is a step of its own, as where
 * they are called one by one.
 */

// As they were before anybody has put something in their place.
const makers = fs ? [fs.createReadStream, fs.createWriteStream, fs.ReadStream, fs.WriteStream] : []
const classes = new Set<unknown>(fs ? [fs.ReadStream, fs.WriteStream] : [])

/** By the names under which a stream asks for them. */
const deeds: Readonly<Record<string, Deed>> = {
  open: openAt,
  read: (execution, [descriptor, ...args], site) => readInto(execution, descriptor as number, toRead(args)!, site),
  write: (execution, [descriptor, ...args], site) => writeFrom(execution, descriptor as number, args, site),
  writev: (execution, [descriptor, ...args], site) => writeFromAll(execution, descriptor as number, args, site),
  close: (execution, [descriptor], site) => closeNumber(execution, descriptor as number, site),
}

interface Made {
  stream?: object
}

function functionsFor(execution: Execution, name: string, made: Made, site: SiteId): Record<string, Fn> {
  const forStream = (operation: string, deed: Deed): Fn =>
    calledByProgram((...args: unknown[]): void => {
      if (execution.foreign.isClosed) return
      const callback = args.at(-1) as Fn
      // Data that its writer may change meanwhile is given as it is, as Node does it.
      const given = args.slice(0, -1)
      const work = (): void => {
        const outcome = outcomeOf(() => deed(execution, given, site))
        if (made.stream) changeLinked(execution, made.stream, site)
        execution.goesOnInTicks()
        const results = 'error' in outcome ? [outcome.error] : [null, outcome.value, given[1]]
        execution.identities.inForeignCode(() => Reflect.apply(callback, undefined, results))
      }
      execution.wake(new FileWork(execution, `${name} ${operation}`, site, work))
    })
  return Object.fromEntries(Object.entries(deeds).map(([operation, deed]) => [operation, forStream(operation, deed)]))
}

/** The arguments with which a stream of a file is made, with the functions that it is to use; undefined where that is for its maker to say. */
function argumentsFor(execution: Execution, { name }: { readonly name: string }, [path, options]: readonly unknown[], site: SiteId): { readonly args: unknown[]; readonly made: Made } | undefined {
  const given = typeof options === 'string' ? { encoding: options } : options ?? {}
  if (!isObject(given) || typeof given === 'function') return undefined
  const { fs: own, fd, flags } = given as { readonly fs?: unknown; readonly fd?: unknown; readonly flags?: unknown }
  if ((own !== undefined && own !== null) || (fd !== undefined && fd !== null) || !canBeOpened([path, flags])) return undefined
  const made: Made = {}
  return { args: [path, { ...given, fs: functionsFor(execution, name, made, site) }], made }
}

/** Makes what it is to make with these arguments; of a stream of a file, such that what it does to the file is seen. */
export function makingFileStream<T>(execution: Execution, { maker, args, site }: { readonly maker: unknown; readonly args: unknown[]; readonly site: SiteId }, make: (args: unknown[]) => T): T {
  const other = classes.has(maker) ? argumentsFor(execution, maker as Fn, args, site) : undefined
  if (!other) return make(args)
  const result = make(other.args)
  if (isObject(result)) other.made.stream = result
  return result
}

export function fileStreamHandlers(otherwise: CallPlatform): readonly (readonly [Fn, Handler])[] {
  return makers.map((maker): readonly [Fn, Handler] => [
    maker as unknown as Fn,
    (execution, receiver, args, site) => {
      const native = maker as unknown as Fn
      const other = argumentsFor(execution, native, args, site)
      const result = otherwise(execution, native, receiver, other?.args ?? args, site)
      if (other && isObject(result)) {
        other.made.stream = result
        nameNew(execution, result, { depth: 1 })
      }
      return result
    },
  ])
}
