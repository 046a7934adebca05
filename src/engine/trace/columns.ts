/** A column that holds at least `length` numbers: the same one, or a larger copy. New places hold 0. */
export function grown(column: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  if (length <= column.length) return column
  const larger = new Int32Array(Math.max(length, column.length * 2))
  larger.set(column)
  return larger
}
