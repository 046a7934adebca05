import { isInStep, type ExecutionEnd } from '../runtime/index.ts'

/** Where a console writes to. */
export interface Output {
  write(...args: unknown[]): unknown
}

interface Chunk {
  readonly to: Output
  readonly text: unknown
}

interface Printed {
  readonly number: number
  readonly chunks: readonly Chunk[]
}

/** What the console prints within executions: that of the first one is shown, and of the first that fails, each with its number. */
export class ConsoleOutput {
  #chunks: Chunk[] = []
  #executions = 0
  #first: Printed | undefined
  #failing: Printed | undefined
  readonly #release: readonly (() => void)[]

  constructor(outputs = streamsOfConsole()) {
    this.#release = outputs.map((output) => this.#keep(output))
  }

  begin(): void {
    this.#chunks = []
  }

  ended({ isComplete, hasFailed }: ExecutionEnd, numberOf: () => number): void {
    if (!isComplete) return
    this.#executions++
    if (this.#chunks.length === 0) return
    const number = hasFailed || this.#executions === 1 ? numberOf() : 0
    if (number === 1) this.#first = { number, chunks: this.#chunks }
    else if (hasFailed) this.#failing ??= { number, chunks: this.#chunks }
  }

  end(): void {
    for (const release of this.#release) release()
    for (const printed of [this.#first, this.#failing]) {
      if (!printed) continue
      const { number, chunks } = printed
      if (this.#executions > 1) chunks[0]!.to.write(`execution ${number}:\n`)
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

function streamsOfConsole(): readonly Output[] {
  const { _stdout, _stderr } = console as unknown as Readonly<Record<string, Output | undefined>>
  return [...new Set([_stdout, _stderr])].flatMap((output) => output ?? [])
}
