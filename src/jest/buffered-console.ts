import type { Output } from '../testing/console-output.ts'

/** What Jest shows of one call once the file is done. */
interface Entry {
  readonly message: string
  readonly origin: string
  readonly type: string
}

/** Where Jest's console writes to if it keeps what was printed until the file is done; undefined if it does not. */
export function bufferOfConsole(): readonly Output[] | undefined {
  const { _buffer: buffer } = console as unknown as { readonly _buffer?: Entry[] }
  if (!Array.isArray(buffer) || console.constructor.name !== 'BufferedConsole') return undefined
  const add = (entry: unknown): unknown => Array.prototype.push.call(buffer, typeof entry === 'string' ? ({ message: entry.trimEnd(), origin: '', type: 'log' } satisfies Entry) : entry)
  const output: Output = { write: add }
  Object.defineProperty(buffer, 'push', { value: (entry: Entry) => output.write(entry), configurable: true })
  return [output]
}
