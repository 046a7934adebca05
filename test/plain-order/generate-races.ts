import type { Random } from '../reference/random.ts'

/** Writes a program in which combinators, one within another, get their parts by different numbers of microtasks while other tasks go on. It notes who is first. */
export function generateRaces(random: Random, { thenables = false }: { readonly thenables?: boolean } = {}): string {
  let count = 0
  const note = (): string => `note('${count++}')`
  const awaits = (): string => Array.from({ length: random.below(5) }, () => `await null; ${random.percent(40) ? `${note()};` : ''}`).join(' ')
  const part = (depth: number): string => {
    const ways: (() => string)[] = [
      () => `(async () => { ${awaits()} return '${count++}' })()`,
      () => `(async () => { ${awaits()} throw 'e${count++}' })()`,
      () => `Promise.resolve('${count++}')`,
      () => `(async () => { ${awaits()} return '${count++}' })().then((value) => { ${note()}; return value })`,
      () => `'v${count++}'`,
    ]
    if (thenables) ways.push(() => `Special.resolve('s${count++}')`, () => `thenable('t${count++}')`)
    if (depth === 3) return random.one(ways)()
    const inner = (): string => part(depth + 1)
    ways.push(
      () => `(async () => { ${awaits()} return ${inner()} })()`,
      () => `(async () => { ${awaits()} return await ${inner()} })()`,
      () => `Promise.${random.one(['race', 'any', 'all'])}([${inner()}, ${inner()}])`,
      () => `new Promise((resolve) => { (async () => { ${awaits()} resolve(${inner()}) })() })`,
      () => `Promise.resolve(${inner()}).catch((error) => { ${note()}; return error })`,
      () => `Promise.resolve(${inner()}).finally(() => { ${note()} })`,
    )
    return random.one(ways)()
  }
  const wholes = Array.from({ length: 1 + random.below(3) }, (_, i) => {
    const parts = Array.from({ length: 2 + random.below(2) }, () => part(1))
    return `Promise.${random.one(['race', 'any'])}([${parts.join(', ')}]).then((value) => note('w${i}' + value), (error) => note('l${i}' + error))`
  })
  const others = Array.from({ length: random.below(3) }, () => `(async () => { ${awaits()} ${note()} })()`)
  return `
const log = []
const note = (text) => { log.push(String(text)) }
class Special extends Promise {}
const thenable = (value) => ({ then(resolve) { note('then'); resolve(value) } })
${[...others, ...wholes].map((statement) => `;${statement}`).join('\n')}
for (let i = 0; i < 8; i++) await new Promise((end) => setTimeout(end, 25))
return log`
}
