import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Database } from '../explored/uninstrumented/sqlite-wasm.ts'
import type { Connection, Open } from './enumerate.ts'

type Driver = new (file: string, options?: object) => Connection

/** What speaks to SQLite here, by name. */
export const drivers = (
  [
    ['wasm', Database as unknown as Driver],
    ['better-sqlite3', optional(() => createRequire(import.meta.url)('better-sqlite3') as Driver)],
    ['node:sqlite', optional(() => (process.getBuiltinModule('node:sqlite' as 'node:fs') as unknown as { DatabaseSync: Driver } | undefined)?.DatabaseSync)],
  ] as const
).flatMap(([name, Driver]) => (Driver ? [[name, Driver] as const] : []))

function optional<T>(load: () => T | undefined): T | undefined {
  try {
    return load()
  } catch {
    return undefined
  }
}

/** Opens new databases: in memory where one connection is enough. */
export function opener(Driver: Driver): { readonly open: Open; readonly end: () => void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'vitest-dpor-sqlite-oracle-'))
  let last: readonly Connection[] = []
  const close = (): void => {
    for (const connection of last) if (connection.open ?? connection.isOpen) connection.close()
    rmSync(folder, { recursive: true, force: true })
  }
  const open: Open = (connections) => {
    close()
    mkdirSync(folder)
    const file = connections === 1 ? ':memory:' : path.join(folder, 'shop.db')
    // Who is locked out is told so at once.
    const opened = Array.from({ length: connections }, () => new Driver(file, { timeout: 0 }))
    last = opened
    return opened
  }
  return { open, end: close }
}
