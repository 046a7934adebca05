/**
 * What instrumented files find before anything explores, and what explores finds as well: each is there once. `build.js` gives them to
 * the script that the rest becomes, by these names. None of their exports may change.
 */
export * as intrinsics from '../engine/intrinsics.ts'
export * as definitions from '../runtime/calls/definitions.ts'
export * as earlyFiles from '../runtime/calls/early-files.ts'
export * as emitted from '../runtime/calls/emitted.ts'
export * as flags from '../runtime/calls/flags.ts'
export * as functionTexts from '../runtime/calls/function-texts.ts'
export * as inert from '../runtime/calls/inert.ts'
export * as messages from '../runtime/calls/messages.ts'
export * as asynchronous from '../runtime/execution/asynchronous.ts'
export * as borrowedTexts from '../runtime/execution/borrowed-texts.ts'
export * as constructible from '../runtime/execution/constructible.ts'
export * as generators from '../runtime/execution/generators.ts'
export * as importFile from '../runtime/execution/import-file.ts'
export * as keptVariables from '../runtime/execution/kept-variables.ts'
export * as loadedDrivers from '../runtime/execution/loaded-drivers.ts'
export * as proxies from '../runtime/execution/proxies.ts'
export * as sources from '../runtime/execution/sources.ts'
export * as stackFrames from '../runtime/execution/stack-frames.ts'
export * as fileEnds from './file-ends.ts'
export * as overAtOnce from './ordinary/over-at-once.ts'
