import type { EncodedSourceMap } from '@jridgewell/remapping'
import { globalName } from '../runtime/calls/emitted.ts'
import { installedKey } from './installed.ts'

/** Stands on a line of its own. In global setup files there is no `jest`, and nothing that wants to know of it. */
const opening = `globalThis[Symbol.for('${installedKey}')]?.knowJest(jest); ${globalName}.loads(() => {`

/** A module in CommonJS whose code belongs to no step: it is run once, whoever asks for it first. */
export function besideRuntime(code: string, map: EncodedSourceMap | undefined): { readonly code: string; readonly map: EncodedSourceMap | null } {
  const body = code.replaceAll(/^\/\/# sourceMappingURL=.*$/gm, '')
  return { code: `${opening}\n${body}\n})`, map: map ? { ...map, mappings: `;${map.mappings}` } : null }
}
