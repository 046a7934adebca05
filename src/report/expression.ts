/** Longer ones are told without what they are given. */
const longest = 40

/** What was written there, on one short line: `save(user)`, `Promise.all(…)`, `new Promise(…)`. */
export function shortExpression(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  if (line.length <= longest) return line
  const [, callee] = /^([^(]*?)(?:<[^(]*>)?\(/.exec(line) ?? []
  const called = callee === undefined ? undefined : `${callee}(…)`
  return called !== undefined && called.length <= longest ? called : `${line.slice(0, longest - 1)}…`
}
