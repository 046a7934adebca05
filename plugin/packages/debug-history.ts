/** Where Prisma has what it says for debugging. */
const files = /\/node_modules\/@prisma\/(?:debug\/dist\/|client\/runtime\/)[^/]+\.m?js$/

/** It is put at the end of a list, whose first one goes where that is too long: as it is published, and made small. */
const histories = [
  /if \(([\w$]+)\.length !== 0\) \{\s*([\w$]+)\.push\(\[[\w$]+, \.\.\.\1\]\);\s*\}\s*if \(\2\.length > [\w$]+\) \{\s*\2\.shift\(\);\s*\}/g,
  /([\w$]+)\.length!==0&&([\w$]+)\.push\(\[[\w$]+,\.\.\.\1\]\),\2\.length>[\w$]+&&\2\.shift\(\),/g,
]

/**
 * The same text without the history that Prisma keeps for reports of its own crashes: every query is put there, so that each would come before or after
 * all others. What is left stands where it stood.
 */
export function withoutHistory(source: string, file: string): string {
  if (!files.test(file)) return source
  return histories.reduce((text, history) => text.replace(history, blank), source)
}

const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ')
