/** This package does not work with the Vitest that loads it. */
export class UnsupportedVitestError extends Error {
  override readonly name = 'UnsupportedVitestError'

  constructor(version: string) {
    super(`vitest-dpor works with Vitest 4.1 or later 4.x and with 5.x, but this is Vitest ${version}. Install one of these, for example with \`npm install -D vitest@5\`.`)
  }
}

export function checkVitestVersion(version: string): void {
  const [major, minor] = version.split('.').map(Number)
  const isSupported = major === 5 || (major === 4 && minor! >= 1)
  if (!isSupported) throw new UnsupportedVitestError(version)
}
