import { filesAside } from '../runtime/index.ts'

/** What a file shares that stays as it is would not be seen. */
export function checkNoneAside(): void {
  const [file] = filesAside()
  if (file === undefined) return
  throw new Error(
    `${file} is loaded by this test and not instrumented, so what it shares would not be seen: nothing in the text of a test that explores leads there, as imports do. ` +
      "Import it in the test file, or name what to instrument whoever loads it: dpor({ include: '**/*' })",
  )
}
