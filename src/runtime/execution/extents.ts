/** The elements that an array has had since the execution knows it. */
export interface Extent {
  /** The smallest length of the array so far. */
  length: number
  /** The step that made the array has ended. What it does to its own array is nobody's business, so it counts from its end. */
  isSettled: boolean
  /** Behind the last index that was written where none was: one that goes and comes again is new again. */
  reach: number
}

/** The extents of the arrays of one execution. */
export class Extents {
  #extents: WeakMap<object, Extent> | undefined
  /** One operation asks several times. */
  #lastArray: object | undefined
  #last: Extent | undefined

  of(array: object): Extent {
    if (array === this.#lastArray) return this.#last!
    this.#extents ??= new WeakMap()
    let extent = this.#extents.get(array)
    if (extent === undefined) this.#extents.set(array, (extent = { length: 0, isSettled: false, reach: 0 }))
    this.#lastArray = array
    return (this.#last = extent)
  }
}
