import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { threadId } from 'node:worker_threads'

/** What a file has become. */
export interface Entry {
  /** Undefined where there is nothing to change. */
  readonly code: string | undefined
}

/**
 * Files on disk, each under a name that says all that it was made from: one that is there is right, whoever wrote it. Where nothing can be
 * written, everything is made anew.
 */
export class Cache {
  readonly #folder: string
  readonly #version: string

  /** @param version of all that decides what a file becomes, but for the file itself */
  constructor(folder: string, version: string) {
    this.#folder = folder
    this.#version = version
  }

  key(file: string, source: string): string {
    return createHash('sha256').update(`${this.#version}\0${file}\0`).update(source).digest('hex').slice(0, 40)
  }

  read(key: string): Entry | undefined {
    try {
      return { code: readFileSync(this.#path(key), 'utf8') || undefined }
    } catch {
      return undefined
    }
  }

  write(key: string, { code }: Entry): void {
    writeWhole(this.#path(key), code ?? '')
  }

  #path(key: string): string {
    return path.join(this.#folder, key.slice(0, 2), `${key.slice(2)}.js`)
  }
}

/** Whole or not at all: several workers may write the same file at once. On a disk that cannot be written, nothing is kept. */
export function writeWhole(file: string, text: string): void {
  const temporary = `${file}.${process.pid}-${threadId}`
  try {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(temporary, text)
    renameSync(temporary, file)
  } catch {
    // Everything is made anew.
  }
}
