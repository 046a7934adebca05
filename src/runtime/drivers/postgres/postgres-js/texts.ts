import { Array } from '../../../../engine/intrinsics.ts'
import type { SiteId } from '../../../../engine/ids.ts'
import { readWhole } from '../../../accesses/whole.ts'
import type { Execution } from '../../../execution/execution.ts'
import { NativePromise } from '../../../execution/native.ts'
import type { Text } from '../statement.ts'
import type { Options, Query, Types } from './package.ts'

/** The package's own functions that make texts. */
let types: Types | undefined

export function makeTextsBy(made: Types): void {
  types = made
}

/** What a statement is going to be when it is sent. */
export function textOf(query: Query, options: Options): Text {
  const values: unknown[] = []
  const kinds: unknown[] = []
  try {
    const text = types!.stringify(query, query.strings[0]!, query.args[0], values, kinds, options)
    if (!query.tagged) for (const arg of query.args) types!.handleValue(arg, values, kinds, options)
    return { text, values }
  } catch {
    // It will not be sent: whoever waits for it hears why.
    return { text: query.strings.join('?'), values: undefined }
  }
}

/** The running step looks at what a statement is made of. */
export function readParts(execution: Execution, { args }: Query, site: SiteId): void {
  for (const arg of args) readPart(execution, arg, site)
}

function readPart(execution: Execution, part: unknown, site: SiteId): void {
  if (typeof part !== 'object' || part === null) return
  // Part of the text, which is a statement by itself or is made of an object.
  if (part instanceof NativePromise) return readParts(execution, part as Query, site)
  if ('first' in part) return readPart(execution, part.first, site)
  readWhole(execution, part, site)
  if (Array.isArray(part)) for (const one of part as unknown[]) readPart(execution, one, site)
}
