import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'

const root = path.resolve(import.meta.dirname, '../..')

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder in which this package, as it would be published, is installed beside Vitest. */
    installed: string
  }
}

/** Once for all suites of this folder: packs the package and installs it in an empty project. */
export default function install(project: TestProject): () => void {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'vitest-dpor-outside-')))
  const packed = npm(root, 'pack', '--json', '--pack-destination', folder, ...(isBuilt() ? ['--ignore-scripts'] : []))
  const [{ filename }] = JSON.parse(packed.slice(packed.indexOf('[\n'))) as [{ filename: string }]
  const { devDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { devDependencies: Record<string, string> }
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  npm(folder, 'install', '--prefer-offline', '--no-audit', '--no-fund', `./${filename}`, `vitest@${devDependencies['vitest']}`)
  project.provide('installed', folder)
  return () => rmSync(folder, { recursive: true, force: true })
}

function npm(cwd: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, encoding: 'utf8', shell: process.platform === 'win32' })
  if (status === 0) return stdout
  throw new Error(`npm ${args.join(' ')} failed:\n${stdout}\n${stderr}`)
}

/** What is built is not older than its source. */
function isBuilt(): boolean {
  const marker = path.join(root, 'dist/plugin/index.js')
  if (!existsSync(marker)) return false
  const built = statSync(marker).mtimeMs
  return ['src', 'plugin'].every((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).every((name) => statSync(path.join(root, folder, name)).mtimeMs <= built),
  )
}
