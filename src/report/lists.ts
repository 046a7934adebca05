/** `a`, `a and b`, `a, b and c` */
export function listed(parts: readonly string[]): string {
  return parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

/** Of more names than `most` the first ones, and how many more there are. */
export function few(names: readonly string[], most: number, all = (these: readonly string[]): string => these.join(', ')): string {
  return names.length > most ? `${names.slice(0, most).join(', ')} and ${names.length - most} more` : all(names)
}

/** More names in a sentence than these nobody reads. */
const mostInSentence = 3

export const fewInSentence = (names: readonly string[]): string => few(names, mostInSentence, listed)
