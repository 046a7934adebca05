import { Reflect } from '../../engine/intrinsics.ts'
import type { Execution } from '../execution/execution.ts'
import type { Fn } from './handler.ts'

/** An element that is defined stays so: the next execution, which defines it too, would fail. */
export function refuseDefinition(execution: Execution, fn: Fn, receiver: unknown, [name]: readonly unknown[]): void {
  if (receiver !== Reflect.get(globalThis, 'customElements') || !/^(?:bound )?define$/.test(fn.name)) return
  execution.refuse(`it defines the element <${String(name)}>, which stays defined, and cannot be defined again`, 'Define it at the top of the file, or in beforeAll')
}
