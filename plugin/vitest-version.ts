import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

/** This package does not work with the Vitest that loads it. */
export class UnsupportedVitestError extends Error {
  override readonly name = 'UnsupportedVitestError'
}

/** @throws UnsupportedVitestError */
export function checkVitest(vitest: { readonly version: string; readonly distPath?: string }, project: { readonly config: { readonly root: string } }): void {
  const [major, minor] = vitest.version.split('.').map(Number)
  const isSupported = major === 5 || (major === 4 && minor! >= 1)
  if (!isSupported)
    throw new UnsupportedVitestError(`vitest-dpor works with Vitest 4.1 or later 4.x and with 5.x, but this is Vitest ${vitest.version}. Install one of these, for example with \`npm install -D vitest@5\`.`)
  const running = vitest.distPath && path.dirname(realpathSync(vitest.distPath))
  const own = ownVitest()
  // What registers hooks with another copy registers them for nobody: nothing would be explored, and nothing would say so.
  if (running && own !== running)
    throw new UnsupportedVitestError(
      `vitest-dpor ${own ? `is installed for another copy of Vitest, ${own},` : 'is installed where there is no Vitest,'} and would explore nothing of what ${running} runs. ` +
        `Install it for the package whose tests these are: add it to the devDependencies of ${path.join(project.config.root, 'package.json')}.`,
    )
}

function ownVitest(): string | undefined {
  try {
    return path.dirname(realpathSync(createRequire(import.meta.url).resolve('vitest/package.json')))
  } catch {
    return undefined
  }
}
