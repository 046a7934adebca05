import type { Explanation, InputRecording, ShownPlace } from '../report/index.ts'
import { saidOf, wholeExecution } from '../report/index.ts'
import { originalPlace, toOpen } from './original-places.ts'

/** Hands a file to Vitest, as an attachment of the test; tells where Vitest keeps it. */
export type Attach = (message: string, attachment: { readonly path: string; readonly contentType: string }) => Promise<string | undefined>

/** The type of the annotation that a page is attached to. */
export const pageType = 'dpor-page'

const fs = globalThis.process?.getBuiltinModule?.('node:fs')
const os = globalThis.process?.getBuiltinModule?.('node:os')
const path = globalThis.process?.getBuiltinModule?.('node:path')

/** Writes the page of a failure, and attaches it: the path of what Vitest keeps. A page that cannot be written hides no failure. */
export async function attachPage(explanation: Explanation, recording: InputRecording, root: string, attach: Attach): Promise<string | undefined> {
  if (!fs || !os || !path) return undefined
  let folder: string | undefined
  try {
    const { renderPage } = await import('../page/index.ts')
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vitest-dpor-'))
    const file = path.join(folder, 'failure.html')
    const steps = wholeExecution({ recording, root, original: originalPlace })
    fs.writeFileSync(file, renderPage({ explanation, said: saidOf(explanation), steps, names: recording.names, codeAt }))
    const kept = await attach('failure', { path: file, contentType: 'text/html' })
    return kept && path.relative(root, kept)
  } catch {
    return undefined
  } finally {
    if (folder !== undefined) fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** Lines before and after the one that is shown. */
const around = 2

/** Some lines of the source, that of the place marked. */
function codeAt(shown: ShownPlace): string | undefined {
  const place = toOpen(shown)
  if (!place || !fs?.existsSync(place.file)) return undefined
  const lines = fs.readFileSync(place.file, 'utf8').split('\n')
  // What stands on one line of ten thousand letters is no source.
  const first = Math.max(1, place.line - around)
  const some = lines.slice(first - 1, place.line + around)
  if (some.some(({ length }) => length > 300)) return undefined
  return some.map((line, i) => `${first + i === place.line ? '>' : ' '} ${String(first + i).padStart(4)}  ${line}`).join('\n')
}
