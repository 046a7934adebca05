/**
 * Runs first in the realm of every test file. Jest may load modules several times there, so what is to be there once is kept
 * on the global object.
 */
import { exploringName, globalName, namingName } from '../runtime/calls/emitted.ts'
import { at, defineDriver, install, io, resource, watchTimers } from '../runtime/index.ts'
import { defineDporTest } from './dpor-test.ts'
import { installedKey, type Installed } from './installed.ts'
import { exploreOrdinaryTests } from './ordinary-tests.ts'
import { knowJest } from './tools.ts'

// Jest copies what it finds on the global object of its own realm, where files run that explore nothing.
for (const name of [globalName, exploringName, namingName]) Reflect.deleteProperty(globalThis, name)
install()
watchTimers()
Reflect.set(globalThis, Symbol.for(installedKey), { knowJest, exploreOrdinaryTests, dporTest: defineDporTest, at, defineDriver, io, resource } satisfies Installed)
