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

export interface RunPageInput {
  readonly title: string
  /** `3 races, 41 hold` */
  readonly totals: string
  readonly rows: readonly RunRow[]
}

/** In the order in which they are to be looked at. */
const tones = ['bad', 'open', 'good', 'plain'] as const

/** All that a run has explored as one page: one file, which asks nobody for anything. */
export function renderRunPage({ title, totals, rows }: RunPageInput): string {
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
</main>
</body>
</html>
`
}

function rowOf({ name, verdict, tone, counts, remarks, page }: RunRow): string {
  const test = page === undefined ? escaped(name) : `<a href="${escaped(encodeURI(page))}">${escaped(name)}</a>`
  const told = remarks.map((remark) => `<p class="dim">${escaped(remark)}</p>`).join('')
  return `<tr><td class="${tone}">${escaped(verdict)}</td><td>${test}${told}</td><td>${escaped(counts ?? '')}</td></tr>`
}

const tableStyle = `
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.4rem 1.2rem 0.4rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
th:first-child, td:first-child { white-space: nowrap; }
th:last-child, td:last-child { min-width: 12rem; }
td p { margin: 0.15rem 0 0; }
td.bad { color: var(--cause); font-weight: 600; }
td.open { color: var(--harm); font-weight: 600; }
td.good { color: var(--good); }
td.plain { color: var(--dim); }
`
