/** What may stand in a text of JavaScript or TypeScript and is no code by itself: comments and strings; else one word, or one character. */
const token = /(\/\/[^\n\r\u2028\u2029]*|\/\*[^]*?\*\/)|"(?:\\[^]|[^"\\\n])*"|'(?:\\[^]|[^'\\\n])*'|[\w$]+|\s+|\+\+|--|[^]/y
/** From within a template to its end, or to where code begins. */
const restOfTemplate = /(?:\\[^]|\$(?!\{)|[^`\\$])*(`|\$\{)/y
const regularExpression = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\//y

/** After these a slash begins a regular expression, after those it divides. After what closes, keywords, `++` and `!` it may be either. */
const beginsOperand = /^[(,=:[&|?{;+\-*%~^<>]$/
const endsOperand = /[\]\w$"'`]$/
const keyword = /^(?:return|typeof|case|in|of|delete|void|throw|new|else|do|await|yield|instanceof|extends|default)$/

/**
 * The text of a file without its comments, as far as it can be told what is one: from where a slash may be a division or begin a regular expression with quotes or
 * slashes in it, all is left. So are texts with tags, where quotes and slashes mean nothing.
 */
export function withoutComments(text: string): string {
  if (/<\s*\/|\/\s*>/.test(text)) return text
  let kept = ''
  let position = 0
  let last = ''
  const within: ('{' | '${')[] = []
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = position
    const found = pattern.exec(text)
    if (found) position += found[0].length
    return found
  }
  while (position < text.length) {
    const start = position
    const [piece, comment] = take(token)!
    if (comment !== undefined) {
      kept += ' '
      continue
    }
    if (piece.trim()) {
      const before = last
      last = piece
      if (piece === '{') within.push('{')
      const goesOn = piece === '`' || (piece === '}' && within.pop() === '${') ? throughTemplate() : piece === '/' ? throughSlash(start, before) : piece !== '"' && piece !== "'"
      if (!goesOn) return kept + text.slice(start)
    }
    kept += text.slice(start, position)
  }
  return kept

  function throughTemplate(): boolean {
    const end = take(restOfTemplate)
    if (end?.[1] === '${') within.push('${')
    last = end?.[1] === '${' ? '{' : '`'
    return end !== null
  }

  function throughSlash(start: number, before: string): boolean {
    if (before === '' || beginsOperand.test(before)) {
      position = start
      return take(regularExpression) !== null
    }
    if (endsOperand.test(before) && !keyword.test(before)) return true
    const [line] = /^.*/.exec(text.slice(position))!
    return !/["'`/]/.test(line)
  }
}
