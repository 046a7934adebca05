/**
 * Loops that wait by asking again. The reference cannot run them for ever. A loop that takes no time asks once or twice, as often as it
 * likes before the others go on; from then on it goes on only once the answer is another one, at any moment after that. One that takes
 * time asks that many times, which is to be more than the others take; then it stays where it is for ever. An execution at the end of
 * which it would go on does not count.
 */

/** What such a loop calls when it has asked often enough: a promise. */
export const circles = '$circles'

const form = /while \(((?:(?!while \().)*?)\) \{ ((?:(?!while \().)*?) \} \/\*asks (\d+) (for good|again)\*\//g

let loops = 0

/** A loop that waits as long as `asks` holds. */
export function askingLoop(asks: string, { wait, takesTime }: { readonly wait: string; readonly takesTime: boolean }): string {
  return `while (${asks}) { ${wait} } /*asks ${takesTime ? '12 for good' : '2 again'}*/`
}

/** The same body with loops that end. */
export function bounded(source: string): string {
  return source.replaceAll(form, (_, asks: string, wait: string, times: string, end: string) => {
    const count = `$asked${loops++}`
    return `{ let ${count} = 0; while (${asks}) { ${wait}; if (++${count} >= ${times}) await ${circles}(() => ${asks}, ${end === 'for good'}) } }`
  })
}
