/** A short name of a test, by its full name: `file > suite > test`. */
export function tagOfName(name: string): string {
  let hash = 2166136261
  for (const unit of name) hash = Math.imul(hash ^ unit.codePointAt(0)!, 16777619)
  return (hash >>> 0).toString(36).padStart(5, '0').slice(-5)
}

// A browser has none.
const path = () => globalThis.process?.getBuiltinModule?.('node:path')

/** The same, where there is no other root than the working directory, of the test of this name in this file. */
export function tagOfTest({ name, testFile = '' }: { readonly name: string; readonly testFile?: string | undefined }): string {
  return tagOfName([path()?.relative(process.cwd(), testFile) ?? testFile, name].join(' > '))
}
