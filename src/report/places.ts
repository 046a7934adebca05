import type { Place } from './input.ts'
import type { ShownPlace } from './explanation.ts'

/** Shows places as short as they stay clear: by file name, or by path where two files have one name. */
export class Places {
  readonly #root: string
  readonly #original: (place: Place) => Place | undefined
  readonly #files = new Map<string, Set<string>>()

  /** @param original where in the source a place stands, if that is another file */
  constructor(root: string, places: Iterable<Place | undefined>, original: (place: Place) => Place | undefined = () => undefined) {
    this.#original = original
    this.#root = slashed(root).replace(/\/$/, '')
    for (const place of places) {
      if (!place) continue
      const { file } = original(place) ?? place
      const name = nameOf(file)
      this.#files.set(name, (this.#files.get(name) ?? new Set()).add(file))
    }
  }

  show(place: Place): ShownPlace {
    const original = this.#original(place)
    const { file, line, column, text } = original ?? place
    const name = nameOf(file)
    const isUnique = (this.#files.get(name)?.size ?? 0) <= 1
    const shown = `${isUnique ? name : this.#relative(file)}:${line}`
    return { file, line, column, text, shown, ...(original && { loaded: place }) }
  }

  #relative(file: string): string {
    const path = slashed(file)
    return this.#root !== '' && path.startsWith(`${this.#root}/`) ? path.slice(this.#root.length + 1) : path
  }
}

export const isOfPackage = ({ file }: Place): boolean => slashed(file).includes('/node_modules/')

/** `/app/node_modules/@scope/name` */
export const packageOf = ({ file }: Pick<Place, 'file'>): string | undefined => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(slashed(file))?.[0]

function slashed(path: string): string {
  return path.replaceAll('\\', '/')
}

function nameOf(file: string): string {
  return slashed(file).split('/').at(-1)!
}
