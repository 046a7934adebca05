import { Number, Object } from '../intrinsics.ts'

/**
 * What a read tells apart.
 * - `value`: any two values, or lists.
 * - `presence`: only whether there is a value.
 * - `integer`: only whether the value is a safe integer, so that integers can be added to it in any order.
 * - `size`: only how many elements or keys there are.
 * - `order`: also in what order they are.
 */
export type Look = 'value' | 'presence' | 'integer' | 'size' | 'order'

/** The value of a location that holds none: what `assign` is given when a property or an entry is removed. */
export const ABSENT: unique symbol = Symbol('absent')

/** Several looks of one step at one location are bits of one number. */
const bits: Readonly<Record<Look, number>> = { value: 1, presence: 2, integer: 4, size: 8, order: 16 }

export function lookBits(look: Look): number {
  return look === 'value' ? bits.value : bits[look]
}

/** Looks that tell any two values, or elements at the same place, apart. */
const everything = bits.value | bits.order

/** Whether some of the looks tells a location with the one value from one with the other. */
export function tellValuesApart(looks: number, one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return false
  if ((looks & (everything | bits.size)) !== 0) return true
  if ((looks & bits.presence) !== 0 && (one === ABSENT) !== (other === ABSENT)) return true
  return (looks & bits.integer) !== 0 && Number.isSafeInteger(one) !== Number.isSafeInteger(other)
}

/** Whether some of the looks tells apart lists whose elements come in different orders. */
export function tellOrdersApart(looks: number): boolean {
  return (looks & everything) !== 0
}

/** Whether some of the looks tells apart how many keys there are. */
export function tellSizesApart(looks: number): boolean {
  return (looks & (everything | bits.size | bits.presence)) !== 0
}
