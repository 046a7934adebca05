import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { accepts } from '../execution/brands.ts'
import { platformPrototype } from '../execution/extended-classes.ts'
import { STATE } from '../execution/keys.ts'
import { isInstance } from '../execution/proxies.ts'
import { belongsTo } from '../execution/restorers.ts'
import { each, type Family, type Operation } from './family.ts'
import { changingMultimap, readMultimap } from './multimaps.ts'
import { lookAtState } from './operations.ts'
import { beforeStateChange, changed } from './telling.ts'

/** The text of a URL in two parts: its parameters are an object of their own, with locations of its own; the rest is its state. */

export const urlPrototype = platformPrototype(globalThis.URL, 'protocol')

const descriptors = Object.getOwnPropertyDescriptors(urlPrototype ?? {}) as Partial<Record<string, PropertyDescriptor>>

// Others bring the text up to date with the parameters.
const accepted = descriptors.protocol?.get && accepts(descriptors.protocol.get)
const isURL = (value: unknown): value is URL => isInstance(value, urlPrototype) && accepted!(value)

/** The parameters of a URL, named after it. */
function parametersOf(execution: Execution, url: URL): URLSearchParams {
  const parameters = Reflect.apply(descriptors.searchParams!.get!, url, []) as URLSearchParams
  belongsTo(parameters, url)
  // Those of an older URL may have been found by another way before.
  if (execution.identities.age(url) === 'of this execution') {
    execution.identities.derive(parameters, `parameters of ${execution.identities.of(url)}`)
  }
  return parameters
}

/** A path like that of `mailto:a` loses trailing spaces when the parameters go. */
function isOpaque(url: URL): boolean {
  return !String(Reflect.apply(descriptors.pathname!.get!, url, [])).startsWith('/')
}

/** All of a URL is looked at. */
export function readURL(execution: Execution, url: URL, site: SiteId): void {
  if (!isURL(url)) return
  lookAtState(execution, url, site)
  readMultimap(execution, parametersOf(execution, url), site)
}

const whole: Operation = (native) => (execution, receiver, args, site) => {
  if (isURL(receiver)) readURL(execution, receiver, site)
  return Reflect.apply(native, receiver, args as never[])
}

const part: Operation = (native) => (execution, receiver, args, site) => {
  if (isURL(receiver) && isOpaque(receiver)) readURL(execution, receiver, site)
  else if (isURL(receiver)) lookAtState(execution, receiver, site)
  return Reflect.apply(native, receiver, args as never[])
}

const search: Operation = (native) => (execution, receiver, args, site) => {
  if (isURL(receiver)) readMultimap(execution, parametersOf(execution, receiver), site)
  return Reflect.apply(native, receiver, args as never[])
}

const searchParams: Operation = (native) => (execution, receiver, args) =>
  isURL(receiver) ? parametersOf(execution, receiver) : Reflect.apply(native, receiver, args as never[])

const setPart: Operation = (native) => (execution, receiver, args, site) => {
  if (isURL(receiver)) {
    beforeStateChange(execution, receiver)
    changed(execution, receiver, STATE, site, undefined)
  }
  return Reflect.apply(native, receiver, args as never[])
}

const setParameters = ({ alone }: { alone: boolean }): Operation => (native) => (execution, receiver, args, site) => {
  const run = (): unknown => Reflect.apply(native, receiver, args as never[])
  if (!isURL(receiver)) return run()
  beforeStateChange(execution, receiver)
  if (!alone || isOpaque(receiver)) changed(execution, receiver, STATE, site, undefined)
  return changingMultimap(execution, { map: parametersOf(execution, receiver), site }, run)
}

const parts = ['protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'hash']

export const urls: Family = {
  holder: urlPrototype,
  methods: each(['toString', 'toJSON'], whole),
  getters: { href: whole, ...each([...parts, 'origin'], part), search, searchParams },
  setters: { ...each(parts, setPart), href: setParameters({ alone: false }), search: setParameters({ alone: true }) },
  isWatched: true,
}
