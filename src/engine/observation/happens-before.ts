/** The part of a trace that observation asks: whether `first` is `second` or happens before it; nothing happens before NONE. */
export interface HappensBefore {
  isBefore(first: number, second: number): boolean
}
