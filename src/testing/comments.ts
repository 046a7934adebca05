/** A comment by itself in a line. What stands behind `off` is for readers. */
const mark = /^[ \t]*\/[/*][ \t]*dpor:[ \t]*off\b[^\n]*\n/gm
const emptyOrComment = /^[ \t]*(?:\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*\*\/)?[ \t]*(?:\n|$)/
/** `test('name'`, `it.only("name"`, `test.each([1, 2])('name %i'`. */
const titled = /^\s*[\w$.]+(?:\([^)]*\)|`[^`]*`)?\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/

/** What the comments `// dpor: off` of a test file leave out: the test or suite below, or the whole file where one stands before all code. */
export function leftOutByComments(text: string): (names: readonly string[]) => boolean {
  const titles: RegExp[] = []
  let isAll = false
  for (const { index, 0: line } of text.matchAll(mark)) {
    const title = titled.exec(codeAfter(text.slice(index + line.length)))?.[2]
    if (title !== undefined) titles.push(asPattern(title))
    else isAll ||= codeAfter(text.slice(0, index)) === ''
  }
  return (names) => isAll || names.some((name) => titles.some((title) => title.test(name)))
}

/** Without the empty lines and comments that it begins with. */
function codeAfter(text: string): string {
  let rest = text
  for (let found = emptyOrComment.exec(rest)?.[0]; found; found = emptyOrComment.exec(rest)?.[0]) rest = rest.slice(found.length)
  return rest
}

/** Titles of `test.each` have places for values, and those in backticks too. */
function asPattern(title: string): RegExp {
  const parts = title.split(/%[a-zA-Z#$]|\$\{[^}]*\}|\$[\w.]+/).map((part) => part.replaceAll(/\\(.)/g, '$1').replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  return new RegExp(`^${parts.join('.*')}$`, 's')
}
