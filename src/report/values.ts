/** What shown values say of themselves. Only their text is known. */

const absent = new Set(['undefined', 'null', 'false', '0', '""', '[]', 'Map(0)', 'Set(0)', ''])

/** A value that means "nothing there". */
export function isAbsent(value: string): boolean {
  return absent.has(value)
}

/** Equal text means equal values; two objects may look the same and differ. */
export function isSame(value: string, other: string): boolean {
  return value === other && !/^[[{]|…/.test(value) && !value.includes('(')
}

/** A function is a method that was looked up, or a callback. */
export function isFunction(value: string): boolean {
  return value.startsWith('[function')
}

/** May the written value have been made from the read one? A flag or a status is replaced, not changed. */
export function mayDeriveFrom(written: string, read: string): boolean {
  if (isNumber(read)) return isNumber(written)
  if (read.startsWith('"')) return read.length > 2 && written.startsWith('"') && written.includes(read.slice(1, -1).replace(/…$/, ''))
  if (read.startsWith('{') || read.startsWith('[')) return written[0] === read[0] && !isFunction(read)
  return false
}

function isNumber(value: string): boolean {
  return /^-?\d/.test(value) || value === 'NaN' || value === 'Infinity' || value === '-Infinity'
}
