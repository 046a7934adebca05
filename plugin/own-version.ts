import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { codeFolder, packageRoot } from './files.ts'

const isCode = /(?<!\.d)\.[jt]s$/

let version: string | undefined

/** Stands for all that decides what files become: the version of this package, and its files as far as a glance tells, as one that is worked on keeps its version. */
export function ownVersion(): string {
  return (version ??= find())
}

function find(): string {
  const hash = createHash('sha256').update(readFileSync(path.join(packageRoot, 'package.json')))
  for (const name of readdirSync(codeFolder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (!isCode.test(name)) continue
    const { size, mtimeMs } = statSync(path.join(codeFolder, name))
    hash.update(`${name} ${size} ${mtimeMs}\n`)
  }
  return hash.digest('hex')
}
