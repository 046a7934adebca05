import { Reflect } from '../../engine/intrinsics.ts'
import { nameNew } from '../accesses/new-graphs.ts'
import { isTold } from '../execution/instrumented.ts'
import { whenDriverIsLoaded } from '../execution/loaded-drivers.ts'
import { besideSteps, running } from '../execution/running.ts'

/**
 * Prisma's compiler of queries, which is WebAssembly: what it answers depends on the schema and the query alone, and what it does in its memory meanwhile is nobody's.
 * What is sent to the database goes through a driver as ever.
 */

type Method = (this: unknown, ...args: unknown[]) => unknown

interface Module {
  readonly QueryCompiler?: { readonly prototype: Record<string, Method> }
}

export function driveByPrisma(): void {
  whenDriverIsLoaded('prisma/query-compiler', (exported) => {
    const { QueryCompiler } = exported as Module
    if (!QueryCompiler) return
    isTold(QueryCompiler)
    const { prototype } = QueryCompiler
    for (const name of Reflect.ownKeys(prototype)) if (typeof name === 'string' && name !== 'constructor' && typeof prototype[name] === 'function') hook(prototype, name)
  })
}

function hook(prototype: Record<string, Method>, name: string): void {
  const method = prototype[name]!
  prototype[name] = function (this: unknown, ...args) {
    '__dpor'
    const answer = besideSteps(() => Reflect.apply(method, this, args))
    if (running) nameNew(running, answer)
    return answer
  }
}
