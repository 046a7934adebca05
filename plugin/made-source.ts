import { SourceMap, type SourceMapPayload } from 'node:module'
import type { Made } from './3-rewrite/rewrite.ts'

/** What other plugins have made of a file before it is instrumented. */
export class MadeSource {
  /** Decides, with the source, what it becomes. */
  readonly key: string
  readonly #map: string
  readonly #isJavaScript: boolean

  /** @param map of all that was made of the file so far */
  constructor(map: object, { isJavaScript }: { readonly isJavaScript: boolean }) {
    // Each would have the whole text of the file in it.
    this.#map = JSON.stringify({ ...map, sourcesContent: undefined })
    this.#isJavaScript = isJavaScript
    this.key = `${isJavaScript} ${this.#map}`
  }

  get made(): Made {
    const map = new SourceMap(JSON.parse(this.#map) as SourceMapPayload)
    return {
      language: this.#isJavaScript ? 'jsx' : undefined,
      original(line, column) {
        const entry = map.findEntry(line - 1, column - 1)
        return 'originalLine' in entry ? [entry.originalLine + 1, entry.originalColumn + 1] : undefined
      },
    }
  }
}
