import { Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import type { Fn } from './handler.ts'
import { each, type Family, type Operation } from './family.ts'
import { changes, component, lookAtState, looks, named } from './operations.ts'
import { isObject } from './telling.ts'

/** Media types of `node:util`: the parameters of one are an object of their own, with a state of its own. */

const { MIMEType, MIMEParams } = (globalThis.process?.getBuiltinModule?.('node:util') ?? {}) as Partial<typeof import('node:util')>

const parametersGetter = MIMEType && (Reflect.getOwnPropertyDescriptor(MIMEType.prototype, 'params')!.get as Fn)
const parameters = parametersGetter && component(parametersGetter)

const whole: Operation = (native) => (execution, receiver, args, site) => {
  if (isObject(receiver)) lookAtMediaType(execution, receiver, site)
  return named(execution, Reflect.apply(native, receiver, args as never[]))
}

function lookAtMediaType(execution: Execution, media: object, site: SiteId): void {
  lookAtState(execution, media, site)
  lookAtState(execution, parameters!(execution, media, [], site) as object, site)
}

/** How all of one is looked at, by its prototype. */
export const mediaTypeLooks: readonly (readonly [unknown, typeof lookAtMediaType])[] = MIMEType ? [[MIMEType.prototype, lookAtMediaType], [MIMEParams!.prototype, lookAtState]] : []

export const mediaTypes: readonly Family[] = [
  { holder: MIMEType?.prototype, methods: each(['toString', 'toJSON'], whole), getters: { ...each(['type', 'subtype', 'essence'], looks), params: component }, setters: each(['type', 'subtype'], changes) },
  { holder: MIMEParams?.prototype, methods: { ...each(['get', 'has', 'entries', 'keys', 'values', 'toString', 'toJSON'], looks), ...each(['set', 'delete'], changes) } },
]
