import { Math } from '../intrinsics.ts'

/** A column of numbers of one kind, such as ordinals. */
export interface Column<Item extends number> extends Int32Array<ArrayBuffer> {
  [index: number]: Item
}

/** A column with so many places, which hold 0. */
export function column<Item extends number>(length: number): Column<Item> {
  return new Int32Array(length) as Column<Item>
}

/** Places of a column that has outgrown its first ones. */
const leastGrown = 16

/** A column that holds at least `length` numbers: the same one, or a larger copy. New places hold 0. */
export function grown<Whole extends Int32Array<ArrayBuffer>>(whole: Whole, length: number): Whole {
  if (length <= whole.length) return whole
  const larger = new Int32Array(Math.max(length, whole.length * 2, leastGrown))
  larger.set(whole)
  return larger as Whole
}
