import { Reflect } from '../../engine/intrinsics.ts'
import { namePermanently } from '../execution/permanent-names.ts'
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

/** Of an accessor that has nothing behind it but one value. */
const look = (name: string): Operation => (native) => (execution, receiver, args, site) => {
  const value = Reflect.apply(native, receiver, args as never[])
  if (isObject(receiver)) seen(execution, receiver, property(name), site, value)
  return value
}

const assign = (name: string): Operation => (native) => (execution, receiver, args, site) => {
  if (isObject(receiver)) {
    const before: unknown = Reflect.get(receiver, name)
    execution.journal.part(receiver, property(name), () => () => void Reflect.apply(native, receiver, [before as never]))
    changed(execution, receiver, property(name), site, args[0])
  }
  return Reflect.apply(native, receiver, args as never[])
}

const state = (holder: object | undefined, name: string): Family => ({ holder, getters: { [name]: look(name) }, setters: { [name]: assign(name) } })

export const processState: readonly Family[] = [
  state(globalThis, 'process'),
  state(globalThis, 'Buffer'),
  state(globalThis.process, 'exitCode'),
  state(globalThis.process?.getBuiltinModule?.('node:events'), 'defaultMaxListeners'),
]
