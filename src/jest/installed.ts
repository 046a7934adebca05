import type { at, defineDriver, io, resource } from '../runtime/index.ts'
import type { DporTest } from './dpor-test.ts'
import type { Framework, JestExpect } from './framework.ts'

/** What the setup file leaves for all files of its test file's realm, which may be loaded more than once. */
export interface Installed {
  /** Called by each file before its own code: every file has a `jest` of its own. */
  readonly knowJest: (jest: object) => void
  readonly exploreOrdinaryTests: (expect: JestExpect) => void
  readonly dporTest: (framework: Framework) => DporTest
  readonly at: typeof at
  readonly defineDriver: typeof defineDriver
  readonly io: typeof io
  readonly resource: typeof resource
}

/** On the global object. The transformer names it as well. */
export const installedKey = 'vitest-dpor: in Jest'

/** @throws Error where the setup file has not run in this realm */
export function installed(): Installed {
  const found = Reflect.get(globalThis, Symbol.for(installedKey)) as Installed | undefined
  if (!found) throw new Error("vitest-dpor is not set up in Jest, so there is nothing to explore. In jest.config.js: const { withDpor } = require('vitest-dpor/jest/config'), then module.exports = withDpor({ ... })")
  return found
}
