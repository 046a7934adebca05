import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { codeFolder, isBuilt, packageRoot } from './files.ts'
import { platformNames } from './platform-names.ts'

const isCode = /(?<!\.d)\.[jt]s$/

let version: string | undefined

/** Stands for all that decides what files become: the version of this package and its code, as one that is worked on keeps its version, and what the platform has. */
export function ownVersion(): string {
  return (version ??= createHash('sha256').update(readFileSync(path.join(packageRoot, 'package.json')))
    .update(codeVersion()).update(platformNames.join(' ')).digest('hex'))
}

/** What `build.js` says of the content of what it has written. Where nothing is built: the files, as far as a glance tells. */
function codeVersion(): string {
  if (isBuilt) return readFileSync(path.join(codeFolder, 'content'), 'utf8')
  const files = readdirSync(codeFolder, { recursive: true, encoding: 'utf8' }).filter((name) => isCode.test(name)).toSorted()
  return files.map((name) => [name, statSync(path.join(codeFolder, name))] as const).map(([name, { size, mtimeMs }]) => `${name} ${size} ${mtimeMs}`).join('\n')
}
