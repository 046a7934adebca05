import { isInStep, type ExecutionEnd } from '../runtime/index.ts'

interface Output {
  write(...args: unknown[]): unknown
}

interface Chunk {
  readonly to: Output
  readonly text: unknown
}

/** What the console prints within executions: that of the first one is shown, and of the one that fails, each with its number. */
export class ConsoleOutput {
  #chunks: Chunk[] = []
  #count = 0
  readonly #kept: { readonly number: number; readonly chunks: readonly Chunk[] }[] = []
  readonly #release: readonly (() => void)[]

  constructor() {
    const { _stdout, _stderr } = console as unknown as Readonly<Record<string, Output | undefined>>
    this.#release = [...new Set([_stdout, _stderr])].flatMap((output) => (output ? [this.#keep(output)] : []))
  }

  begin(): void {
    this.#chunks = []
  }

  executionEnded({ isComplete, hasFailed }: ExecutionEnd): void {
    if (!isComplete) return
    this.#count++
    const isFirstFailure = hasFailed && !this.#kept.some(({ number }) => number > 1)
    if (this.#count === 1 || isFirstFailure) this.#kept.push({ number: this.#count, chunks: this.#chunks })
  }

  end(): void {
    for (const release of this.#release) release()
    for (const { number, chunks } of this.#kept.splice(0)) {
      if (this.#count > 1 && chunks.length > 0) chunks[0]!.to.write(`execution ${number}:\n`)
      for (const { to, text } of chunks) to.write(text)
    }
  }

  #keep(output: Output): () => void {
    const own = Object.getOwnPropertyDescriptor(output, 'write')
    const native = output.write
    const write = (...args: unknown[]): unknown => {
      if (!isInStep()) return Reflect.apply(native, output, args)
      this.#chunks.push({ to: output, text: args[0] })
      return true
    }
    Object.defineProperty(output, 'write', { value: write, configurable: true, writable: true })
    return () => {
      if (output.write !== write) return
      if (own) Object.defineProperty(output, 'write', own)
      else Reflect.deleteProperty(output, 'write')
    }
  }
}
