/**
 * `node --import vitest-dpor/node-test/register --test`: instruments what Node loads, and gives it its runtime. Loaders that
 * compile, such as tsx, come after it, so that it sees files as they were written.
 */
import path from 'node:path'
import { ownVersion } from '../../plugin/own-version.ts'
import { platformNames } from '../../plugin/platform-names.ts'
import { hookCommonJs } from '../../plugin/packages/common-js.ts'
import { Instrumenter, type ProvidedPackages } from '../../plugin/packages/instrument.ts'
import { loadMakers } from '../../plugin/packages/load-makers.ts'
import { hookModules } from '../../plugin/packages/modules.ts'
import { globalName, knowsTexts } from '../runtime/calls/emitted.ts'
import { install, watchTimers } from '../runtime/index.ts'
import { markRegistered } from './registered.ts'

install()
watchTimers()
markRegistered()

const provided: ProvidedPackages = { inline: 'auto', opaque: [], include: undefined, exclude: [], folder: path.resolve('node_modules/.cache/vitest-dpor'), version: ownVersion(), platform: platformNames, everywhere: true, hasContexts: false, exploring: [], withoutPackages: [] }
const tell = (name: string): void => globalThis[globalName]?.left(name)
const instrumenter = new Instrumenter(provided, await loadMakers(), tell)
Reflect.set(globalThis, knowsTexts, instrumenter.texts)
const instrument = (source: string, file: string): string | undefined => instrumenter.instrument(source, file)
hookCommonJs(instrument)
hookModules({ instrument, provided, tell })
