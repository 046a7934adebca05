/**
 * What tests rest on: by paths of files their contents; by paths that end in `.*` which endings there are, by those of folders, which end in `/`, all that is in them. What is
 * not there is empty.
 */
export type Inputs = Readonly<Record<string, string>>

const fs = () => process.getBuiltinModule('node:fs')
const path = () => process.getBuiltinModule('node:path')

export const inputsOf = (names: Iterable<string>): Inputs => Object.fromEntries([...new Set(names)].map((name) => [name, stateOf(name)]))

export const haveChanged = (inputs: Inputs): boolean => Object.entries(inputs).some(([name, state]) => stateOf(name) !== state)

/**
 * Where it is decided what a file means that was loaded: in itself, in what would be found in its place if it were added, and in settings.
 * @param root of the project
 */
export function restsOn(file: string, root: string): string[] {
  const { dirname, basename, join } = path()
  const names = [file, join(dirname(file), '__mocks__', `${stemOf(file)}.*`), `${join(root, '__mocks__')}/`]
  for (let part = file; ; part = dirname(part)) {
    const folder = dirname(part)
    // `cart.js` before `cart.ts`, and `cart.ts` before `cart/index.ts`.
    names.push(join(folder, `${part === file ? stemOf(file) : basename(part)}.*`), join(folder, 'package.json'), join(folder, 'tsconfig.json'))
    if (folder === root || folder === dirname(folder) || isRootOfOther(folder, root)) return names
  }
}

/** A name for texts together, as good as they are themselves. */
export function digest(...texts: readonly string[]): string {
  const hash = process.getBuiltinModule('node:crypto').createHash('sha1')
  for (const text of texts) hash.update(`${text.length} ${text}`)
  return hash.digest('base64url')
}

/** Of a package that is not below the root. */
const isRootOfOther = (folder: string, root: string): boolean => !folder.startsWith(`${root}${path().sep}`) && fs().existsSync(path().join(folder, 'package.json'))

const stemOf = (file: string): string => path().basename(file, path().extname(file))

function stateOf(name: string): string {
  try {
    if (name.endsWith('/')) return digest(...fs().readdirSync(name, { recursive: true, encoding: 'utf8' }).toSorted())
    if (name.endsWith('.*')) return endingsOf(name).join(' ')
    return digest(fs().readFileSync(name, 'latin1'))
  } catch {
    return ''
  }
}

/** Tests that lie beside it no import without an ending leads to. */
function endingsOf(name: string): string[] {
  const start = path().basename(name).slice(0, -1)
  return fs().readdirSync(path().dirname(name)).filter((entry) => entry.startsWith(start) && !/\.(?:test|spec)\.\w+$/.test(entry.slice(start.length - 1))).toSorted()
}
