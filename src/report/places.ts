import type { Place } from './input.ts'
import type { ShownPlace } from './explanation.ts'

/** Shows places as short as they stay clear: by file name, or by path where two files have one name. */
export class Places {
  readonly #root: string
  readonly #files = new Map<string, Set<string>>()

  constructor(root: string, places: Iterable<Place | undefined>) {
    this.#root = slashed(root).replace(/\/$/, '')
    for (const place of places) {
      if (!place) continue
      const name = nameOf(place.file)
      this.#files.set(name, (this.#files.get(name) ?? new Set()).add(place.file))
    }
  }

  show({ file, line, column, text }: Place): ShownPlace {
    const name = nameOf(file)
    const isUnique = (this.#files.get(name)?.size ?? 0) <= 1
    return { file, line, column, text, shown: `${isUnique ? name : this.#relative(file)}:${line}` }
  }

  #relative(file: string): string {
    const path = slashed(file)
    return this.#root !== '' && path.startsWith(`${this.#root}/`) ? path.slice(this.#root.length + 1) : path
  }
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/')
}

function nameOf(file: string): string {
  return slashed(file).split('/').at(-1)!
}
