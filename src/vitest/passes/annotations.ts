import { besideSteps, standsForPlatform } from '../../runtime/index.ts'
import type { RunnerTest } from './runner-test.ts'

interface Attachment {
  readonly contentType?: string
  readonly path?: string
  readonly body?: string | Uint8Array
  readonly bodyEncoding?: string
}

/** As Vitest's runner takes it. */
export interface Annotation {
  readonly message: string
  readonly type: string
  readonly attachment?: Attachment
  readonly location?: Readonly<Record<'line' | 'column', number>> & { readonly file: string }
}

/**
 * What the passes of a test annotate it with. Vitest would tell its main process of it in each of them, and the test would wait for that, which is real and no part
 * of the test. So it is only kept, and that of the first pass is told when the last one is over.
 */
export class Annotations {
  readonly #test: RunnerTest
  readonly #own: unknown
  #kept: Annotation[] = []
  #passes = 0

  constructor(test: RunnerTest) {
    this.#test = test
    this.#own = test.context.annotate
    if (typeof this.#own !== 'function') return
    const annotate = (message: string, type?: string | Attachment, attachment?: Attachment): Promise<Annotation> => {
      const annotation = besideSteps(() => this.#keep(message, typeof type === 'object' ? { attachment: type } : { type, attachment }))
      return globalThis.Promise.resolve(annotation)
    }
    standsForPlatform(annotate as never)
    Reflect.set(test.context, 'annotate', annotate)
  }

  passBegins(): void {
    this.#passes++
  }

  /** No more passes are controlled. */
  giveBack(): void {
    if (typeof this.#own === 'function') Reflect.set(this.#test.context, 'annotate', this.#own)
  }

  /** A pass that nothing controls tells all by itself. */
  forget(): void {
    this.#kept = []
  }

  take(): Annotation[] {
    return this.#kept.splice(0)
  }

  #keep(message: string, { type = 'notice', attachment }: { readonly type?: string | undefined; readonly attachment?: Attachment | undefined }): Annotation {
    const location = placeIn(this.#test.file.filepath)
    const annotation = { message, type, ...(attachment && { attachment: asText(attachment) }), ...(location && { location }) }
    if (this.#passes === 1) this.#kept.push(annotation)
    return annotation
  }
}

/** Between the worker and the main process all is text. */
function asText({ body, ...attachment }: Attachment): Attachment {
  if (body === undefined) return attachment
  return { ...attachment, body: typeof body === 'string' ? body : Buffer.from(body).toString('base64') }
}

/** Calls between the test and what it has called. */
const between = 50

/** Where the file of the test goes on; Vitest finds the place in its source. */
function placeIn(file: string): Annotation['location'] {
  const frame = (deepStack() ?? '').split('\n').find((line) => line.includes(file))
  const [, line, column] = /:(\d+):(\d+)\)?$/.exec(frame ?? '') ?? []
  return line === undefined ? undefined : { file, line: Number(line), column: Number(column) }
}

function deepStack(): string | undefined {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = between
  try {
    return new Error('where').stack
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}
