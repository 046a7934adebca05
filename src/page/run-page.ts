import { escaped } from './html.ts'
import { style } from './style.ts'

/** What was found out about one test of a run. */
export interface RunRow {
  /** The file, and the names of suites and test. */
  readonly name: string
  readonly verdict: string
  /** What the verdict means for who reads it. */
  readonly tone: 'bad' | 'open' | 'good' | 'plain'
  /** How much was explored, and how: undefined where nothing was. */
  readonly counts?: string | undefined
  /** Why, or what it rests on: one sentence each. */
  readonly remarks: readonly string[]
  /** Path of the page of its failure, as seen from this one. */
  readonly page?: string | undefined
}

/** Two lines that access the same. */
export interface RunLines {
  readonly first: RunLine
  readonly second: RunLine
  /** In which orders two calls came there; `same`: in one, as nobody can tell the other one from it. */
  readonly seen: 'both' | 'one' | 'same' | 'never'
  /** How many tests came there. */
  readonly tests: number
}

interface RunLine {
  /** `src/account.ts:8` */
  readonly place: string
  /** What is accessed there, as it is written. */
  readonly text: string
}

export interface RunPageInput {
  readonly title: string
  /** `3 races, 41 hold` */
  readonly totals: string
  readonly rows: readonly RunRow[]
  /** Lines that race, over all tests, in the order in which they are shown. */
  readonly lines: readonly RunLines[]
}

/** In the order in which they are to be looked at. */
const tones = ['bad', 'open', 'good', 'plain'] as const

/** All that a run has explored as one page: one file, which asks nobody for anything. */
export function renderRunPage({ title, totals, rows, lines }: RunPageInput): string {
  const sorted = tones.flatMap((tone) => rows.filter((row) => row.tone === tone))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(`${title}: ${totals}`)}</title>
<style>${style}${tableStyle}</style>
</head>
<body>
<header>
<h1>${escaped(totals)}</h1>
<p class="dim">${escaped(title)}</p>
</header>
<main>
<div class="scroll" role="region" tabindex="0" aria-label="Tests">
<table>
<thead><tr><th scope="col">Verdict</th><th scope="col">Test</th><th scope="col">Explored</th></tr></thead>
<tbody>
${sorted.map(rowOf).join('\n')}
</tbody>
</table>
</div>
${lines.length === 0 ? '' : linesSection(lines)}
</main>
</body>
</html>
`
}

/** What each order is called in the table, and in the sum above it. */
const orders = {
  one: { tone: 'open', short: 'one order', long: 'in one order only: the other was not run' },
  never: { tone: 'plain', short: 'never side by side', long: 'never side by side: one always has to come before the other, as by a lock' },
  same: { tone: 'plain', short: 'no difference', long: 'in one order, as the other comes to the same' },
  both: { tone: 'good', short: 'both orders', long: 'in both orders' },
} as const

/** Rows that are shown of those that need no look. */
const mostLines = 500

function linesSection(lines: readonly RunLines[]): string {
  const counts = Object.entries(orders).flatMap(([seen, { long }]) => {
    const count = lines.filter((one) => one.seen === seen).length
    return count === 0 ? [] : [`<li>${count} ${escaped(long)}</li>`]
  })
  return `<section>
<h2>${lines.length === 1 ? 'One pair' : `${lines.length} pairs`} of lines where two calls access the same</h2>
<ul class="dim">${counts.join('')}</ul>
<div class="scroll" role="region" tabindex="0" aria-label="Racing lines">
<table class="lines">
<thead><tr><th scope="col">Seen in</th><th scope="col">One line</th><th scope="col">The other</th><th scope="col">Tests</th></tr></thead>
<tbody>
${lines.slice(0, mostLines).map(lineRow).join('\n')}
</tbody>
</table>
</div>
</section>`
}

function lineRow({ first, second, seen, tests }: RunLines): string {
  const { tone, short } = orders[seen]
  return `<tr><td class="${tone}">${short}</td>${lineCell(first)}${lineCell(second)}<td>${tests}</td></tr>`
}

const lineCell = ({ place, text }: RunLine): string => `<td>${escaped(place)}<br><code>${escaped(text)}</code></td>`

function rowOf({ name, verdict, tone, counts, remarks, page }: RunRow): string {
  const test = page === undefined ? escaped(name) : `<a href="${escaped(encodeURI(page))}">${escaped(name)}</a>`
  const told = remarks.map((remark) => `<p class="dim">${escaped(remark)}</p>`).join('')
  return `<tr><td class="${tone}">${escaped(verdict)}</td><td>${test}${told}</td><td>${escaped(counts ?? '')}</td></tr>`
}

const tableStyle = `
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.4rem 1.2rem 0.4rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
th, td:first-child { white-space: nowrap; }
th:last-child, td:last-child { min-width: 12rem; }
@media (max-width: 700px) { th, td { padding-right: 0.6rem; } th:last-child, td:last-child { min-width: 6rem; } }
td p { margin: 0.15rem 0 0; }
td.bad { color: var(--cause); font-weight: 600; }
td.open { color: var(--harm); font-weight: 600; }
td.good { color: var(--good); }
table.lines { margin-top: 0.4rem; }
table.lines th:last-child, table.lines td:last-child { min-width: 3rem; text-align: right; }
main section { margin-top: 2rem; }
td.plain { color: var(--dim); }
`
