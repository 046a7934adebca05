/** What is in an object or a list, as it is shown on one line: by name, or number, its parts, as text; undefined where the text shows nothing of it. What is cut off at the end is left out. */
export function partsOf(text: string): ReadonlyMap<string, string> | undefined {
  const parts = new Map<string, string>()
  if (!text.startsWith('{') && !isList(text)) return undefined
  const all = split(text.slice(1, isCut(text) ? undefined : -1))
  const whole = isCut(text) ? all.slice(0, -1) : all
  if (isList(text)) return new Map(whole.map((item, index) => [String(index), item]))
  for (const part of whole) {
    const [, name, value] = /^"((?:[^"\\]|\\.)*)":(.*)$/s.exec(part) ?? []
    if (name === undefined || value === undefined) return undefined
    parts.set(name, value)
  }
  return parts
}

const isCut = (text: string): boolean => !/[}\]]$/.test(text)

/** And not how many items there are, or of what class it is: `[3 items]`, `[Account]`. */
const isList = (text: string): boolean => text.startsWith('[') && !/^\[(?:\d+ items?|[A-Z]\w*|function.*)\]$/.test(text)

/** At commas that are not within brackets or quotes. */
function split(text: string): string[] {
  const found: string[] = []
  let [depth, start] = [0, 0]
  for (let i = 0; i < text.length; i++) {
    const letter = text[i]!
    if (letter === '"' || letter === "'") i = endOfString(text, i)
    else if (letter === '{' || letter === '[' || letter === '(') depth++
    else if (letter === '}' || letter === ']' || letter === ')') depth--
    else if (letter === ',' && depth === 0) {
      found.push(text.slice(start, i))
      start = i + 1
    }
  }
  return start < text.length ? [...found, text.slice(start)] : found
}

function endOfString(text: string, start: number): number {
  let end = start + 1
  while (end < text.length && text[end] !== text[start]) end += text[end] === '\\' ? 2 : 1
  return end
}

/** Names of parts, each within the one before. */
export type Path = readonly string[]

/** Where objects differ, in the smallest parts that are there in all of them. */
export function differencesOf(texts: readonly string[]): Path[] {
  const [first, ...more] = [...new Set(texts)]
  if (first === undefined || more.length === 0) return []
  const all = [first, ...more].map(partsOf)
  if (!all.every((parts) => parts !== undefined) || more.some((text) => text[0] !== first[0])) return [[]]
  const isPartial = [first, ...more].some(isCut)
  const names = [...new Set(all.flatMap((parts) => [...parts.keys()]))].filter((name) => !isPartial || all.every((parts) => parts.has(name)))
  return names.flatMap((name) => differencesOf(all.map((parts) => parts.get(name) ?? absent)).map((path) => [name, ...path]))
}

const absent = 'undefined'

/** What is there. */
export function partAt(text: string, path: Path): string {
  const [name, ...rest] = path
  return name === undefined ? text : partAt(partsOf(text)?.get(name) ?? absent, rest)
}

/** The parts that all paths have in common. */
export function commonPath([first = [], ...others]: readonly Path[]): Path {
  const end = first.findIndex((name, i) => others.some((path) => path[i] !== name))
  return end < 0 ? first : first.slice(0, end)
}

/** Those that lie within a part, or within the smallest one around it in which any does. */
export function within(part: Path, paths: readonly Path[]): readonly Path[] {
  if (part.length === 0) return paths
  const inside = paths.filter((path) => part.every((name, i) => path[i] === name))
  return inside.length > 0 ? inside : within(part.slice(0, -1), paths)
}

/** The object, or the list, with these parts alone: `{…"size":{…"width":3}…}`. */
export function withParts(text: string, paths: readonly Path[]): string {
  const parts = partsOf(text)
  if (!parts || paths.some((path) => path.length === 0)) return text
  let shown = ''
  let isLeftOut = false
  for (const [name, value] of parts) {
    const inside = paths.filter(([first]) => first === name).map(([, ...rest]) => rest)
    if (inside.length === 0) isLeftOut = true
    else {
      shown += `${isLeftOut ? '…' : shown && ','}${isList(text) ? '' : `${JSON.stringify(name)}:`}${withParts(value, inside)}`
      isLeftOut = false
    }
  }
  return `${text[0]}${shown}${isLeftOut || isCut(text) ? '…' : ''}${isList(text) ? ']' : '}'}`
}
