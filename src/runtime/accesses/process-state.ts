import { Reflect } from '../../engine/intrinsics.ts'
import { namePermanently } from '../execution/identity.ts'
import { property } from '../execution/keys.ts'
import type { Family, Operation } from './family.ts'
import { changed, isObject, seen } from './telling.ts'

/** What the process keeps: its environment, of which each variable is a location, and the code that it will exit with. */
export function nameProcess(): void {
  const { process } = globalThis as { process?: NodeJS.Process }
  if (!process) return
  namePermanently(process, 0)
  namePermanently(process.env, 0)
}

const EXIT_CODE = property('exitCode')

const look: Operation = (native) => (execution, receiver, args, site) => {
  const code = Reflect.apply(native, receiver, args as never[])
  if (isObject(receiver)) seen(execution, receiver, EXIT_CODE, site, code)
  return code
}

const assign: Operation = (native) => (execution, receiver, args, site) => {
  if (isObject(receiver)) {
    const before: unknown = Reflect.get(receiver, 'exitCode')
    execution.journal.part(receiver, EXIT_CODE, () => () => void Reflect.apply(native, receiver, [before as never]))
    changed(execution, receiver, EXIT_CODE, site, args[0])
  }
  return Reflect.apply(native, receiver, args as never[])
}

export const processState: Family = { holder: globalThis.process, getters: { exitCode: look }, setters: { exitCode: assign } }
