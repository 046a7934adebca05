import { Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { openHandles } from '../execution/open-handles.ts'
import { PerExecution } from '../execution/per-execution.ts'
import { isProxy } from '../execution/proxies.ts'
import { replaceListeners, type NodeEmitter } from '../execution/saved-listeners.ts'
import type { Fn } from './handler.ts'
import { isThread } from './platform-modules.ts'
import { isHeard } from './listeners.ts'
import { heldListener, putListenersBack } from './real-callbacks.ts'
import { isThing, partsOf } from './real-things.ts'

/**
 * What was open before the execution, as what `beforeAll` connects to or starts: a socket, a thread, another process. From the step on that calls a method of it, it
 * counts as of this execution: its answer is waited for, and those of the program who have listened before are told of it in steps.
 */
class OlderThings {
  readonly #execution: Execution
  readonly #known = new Set<object>()

  constructor(execution: Execution) {
    this.#execution = execution
  }

  isCalled(thing: object, site: SiteId): void {
    // Nobody answers to what is printed.
    if (this.#known.has(thing) || Reflect.get(thing, '_isStdio') === true) return
    this.#known.add(thing)
    if (this.#execution.identities.isKnownNew(thing)) return
    for (const one of connected(thing)) {
      this.#known.add(one)
      this.#take(one, site)
    }
  }

  #take(thing: object, site: SiteId): void {
    const execution = this.#execution
    execution.foreign.takes(thing)
    if (isThread(thing)) execution.foreign.startedThread(thing as { readonly threadId: number })
    if (!hasListeners(thing)) return
    replaceListeners(thing, (event, listener) => heldListener(execution, thing, { event, listener, wasThere: true }, site) as Fn)
    const release = (): void => putListenersBack(thing)
    // What is put back after the execution may be what it was in the midst of it.
    execution.journal.change(release)
    execution.whenAbandoned(release)
  }
}

const hasListeners = (thing: object): thing is NodeEmitter => typeof Reflect.get(thing, '_events') === 'object'

/** A process and its pipes answer for each other. */
function connected(thing: object): readonly object[] {
  const whole = openHandles().find((open) => open !== thing && partsOf(open).includes(thing)) ?? thing
  return [whole, ...partsOf(whole)]
}

const all = new PerExecution((execution) => new OlderThings(execution))

/** The running step calls a method of something of Node's that may be older. */
export function callsOlder(execution: Execution, thing: object): void {
  all.of(execution).isCalled(thing, execution.here)
}

/** Whether anything is open to which the program listens, or which may be the port of a thread. */
export const areOlderThings = (): boolean => openHandles().some((open) => !isProxy(open) && (!isThing(open) || isHeard(open as NodeJS.EventEmitter)))
