import type { Explanation, ExplanationColumn, ExplanationRow, Said, ShownPlace, ToldStep } from '../report/index.ts'
import { columnOf } from './column.ts'
import { escaped } from './html.ts'
import { lanesPicture, type Box, type Edge, type Lane, type Picture } from './lanes.ts'
import { script } from './script.ts'
import { style } from './style.ts'

export interface PageInput {
  readonly explanation: Explanation
  /** All that ran. */
  readonly steps: readonly ToldStep[]
  /** Names of the processes, by ordinal. */
  readonly names: readonly string[]
  /** What is said besides, in sentences. */
  readonly said: Said
  /** Lines of the source around a place, as they are to be shown; undefined where they cannot be read. */
  readonly codeAt: (place: ShownPlace) => string | undefined
}

/** A failure as a page of its own: one file, which asks nobody for anything. */
export function renderPage(input: PageInput): string {
  const { explanation, said } = input
  const { name, headline, message } = explanation
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(`${name}: ${headline}`)}</title>
<style>${style}</style>
</head>
<body>
<header>
<p class="dim">${escaped(name)}</p>
<h1>${titled(headline, said.title)}</h1>
<p class="dim">${escaped([said.counts, said.possible].filter((part) => part !== undefined).join('. '))}</p>
</header>
<main>
${ordersOf(input)}
${statementsOf(explanation)}
${saidBesides(input)}
<h2 class="screen">Step</h2>
<pre id="details" class="screen" aria-live="polite">Point at a box, or go through them with the arrow keys.</pre>
${explanation.failureKind === 'deadlock' ? '' : `<h2>Error</h2>\n<pre class="error">${escaped(message)}</pre>`}
<h2>Replay</h2>
<pre>${escaped(said.replays.join('\n'))}</pre>
${wholeOf(input)}
</main>
<script>${script}</script>
</body>
</html>
`
}

/** What sort of failure it is stands out. */
function titled(headline: string, title: string): string {
  return title === '' ? escaped(headline) : `<strong>${escaped(title)}</strong>${escaped(headline.slice(title.length))}`
}

/** What the picture does not show. */
function saidBesides({ explanation: { passesWith, remedy }, said }: PageInput): string {
  const texts = [passesWith ? undefined : said.sequential, remedy].filter((text) => text !== undefined)
  return [...texts.map((text) => `<p>${escaped(text)}</p>`), ...said.also.map((text) => `<p class="dim">${escaped(text)}</p>`)].join('\n')
}

// Pictures ------------------------------------------------------------------------------------

function ordersOf(input: PageInput): string {
  const { explanation } = input
  if (explanation.rows.length === 0) return ''
  const passing = passingPicture(input)
  const sections = [section('This order fails', '', failingPicture(input)), ...(passing ? [section('This order passes', 'good', passing)] : [])]
  return `<div class="orders">\n${sections.join('\n')}\n</div>\n<p class="dim legend"><span class="beside">${legend}</span> <a class="screen" id="svg" href="#" download="failure.svg">The failing order as an SVG</a></p>`
}

const legend = 'Time goes down, one lane for each call. A full arrow: something makes the one wait for the other. A broken one: they could have come the other way round.'

function section(title: string, kind: string, picture: Picture): string {
  return `<section>\n<h2 class="${kind}">${title}</h2>\n<div class="scroll beside" role="region" tabindex="0" aria-label="${escaped(title)}">\n${lanesPicture(picture)}\n</div>\n${columnOf(picture)}\n</section>`
}

function failingPicture({ explanation, codeAt }: PageInput): Picture {
  const { rows, columns, edges } = explanation
  return { label: 'The failing order', lanes: columns.map(laneOf), boxes: rows.map((row) => boxOf(row, explanation, codeAt)), edges }
}

/** The rows that both orders begin with, and then those of the passing one. */
function passingPicture({ explanation, codeAt }: PageInput): Picture | undefined {
  const { rows, columns, passing } = explanation
  if (!passing) return undefined
  const parted = new Set(passing.map(({ number }) => number))
  const before = rows.slice(0, Math.max(0, rows.findIndex(({ number }) => parted.has(number))))
  const all = [...before, ...passing]
  return {
    label: 'The passing order',
    lanes: columns.filter(({ ordinal }) => all.some(({ process }) => process === ordinal)).map(laneOf),
    boxes: all.map((row) => ({ ...boxOf(row, explanation, codeAt), role: 'plain' })),
    edges: [],
  }
}

const laneOf = ({ ordinal, title }: ExplanationColumn): Lane => ({ ordinal, name: title })

function boxOf(row: ExplanationRow, explanation: Explanation, codeAt: PageInput['codeAt']): Box {
  const { number, process, text, place, where, note } = row
  return {
    id: number,
    number: `${number}`,
    lane: process,
    lines: note === undefined ? [text] : [text, `← ${note}`],
    place: where,
    role: roleOf(row, explanation),
    details: detailsOf([`${number}  ${text}`, ...statementsAt(number, explanation)].join('\n   '), place, codeAt),
    locations: [text],
  }
}

/** The two whose order decides it; and what went wrong because of that. */
function roleOf({ number, note }: ExplanationRow, { passesWith }: Explanation): Box['role'] {
  if (passesWith?.includes(number)) return 'cause'
  return note === undefined ? 'plain' : 'harm'
}

function detailsOf(first: string, place: ShownPlace | undefined, codeAt: PageInput['codeAt']): string {
  if (!place) return first
  const code = codeAt(place)
  return [first, `${place.file}:${place.line}:${place.column}`, ...(code === undefined ? [] : ['', code])].join('\n')
}

// Statements of a database --------------------------------------------------------------------

function statementsOf({ statements = [] }: Explanation): string {
  if (statements.length === 0) return ''
  const rows = statements.map(({ number, level, text }) => `<tr><td>${number}</td><td class="dim">${escaped(level)}</td><td><code>${escaped(text)}</code></td></tr>`)
  return `<h2>Statements</h2>\n<div class="scroll" role="region" tabindex="0" aria-label="Statements">\n<table>\n${rows.join('\n')}\n</table>\n</div>`
}

const statementsAt = (row: number, { statements = [] }: Explanation): string[] => statements.filter(({ number }) => number === row).map(({ level, text }) => `${level}: ${text}`)

// The whole execution -------------------------------------------------------------------------

/** More steps than these are not drawn: the first ones are. */
const mostSteps = 400

function wholeOf({ steps, names, codeAt, explanation }: PageInput): string {
  const told = steps.filter(({ accesses }) => accesses.length > 0).slice(0, mostSteps)
  if (told.length === 0) return ''
  const known = new Set(told.map(({ step }) => step))
  const lanes: Lane[] = [...new Set(told.map(({ process }) => process))].toSorted((a, b) => a - b).map((ordinal) => ({ ordinal, name: names[ordinal] ?? `process ${ordinal}` }))
  const edges = told.flatMap(({ step, after }): Edge[] => after.filter((before) => known.has(before.step)).map((before) => ({ from: before.step, to: step, kind: before.kind })))
  const inStory = new Set(explanation.rows.map(({ step }) => step))
  const boxes = told.map((one): Box => ({ ...stepBox(one, names, codeAt), role: inStory.has(one.step) ? 'harm' : 'plain' }))
  const left = steps.length - told.length
  return `<details id="whole">
<summary>The whole execution: ${told.length} steps that touch what is shared${left > 0 ? `, of ${steps.length}` : ''}</summary>
<p class="screen"><label for="filter">Only steps that touch</label><input id="filter" type="search" placeholder="account.balance"></p>
<div class="scroll" role="region" tabindex="0" aria-label="The whole execution">
${lanesPicture({ label: 'The whole execution', lanes, boxes, edges })}
</div>
</details>`
}

/** More accesses than these are not written into a box; what is told of it has all. */
const mostLines = 4

function stepBox({ step, process, place, accesses }: ToldStep, names: readonly string[], codeAt: PageInput['codeAt']): Box {
  const texts = accesses.map(({ text, process: own }) => (own === process ? text : `${names[own] ?? own}: ${text}`))
  const shown = accesses[0]!.place ?? place
  return {
    id: step,
    number: `${step + 1}`,
    lane: process,
    lines: texts.length > mostLines ? [...texts.slice(0, mostLines - 1), `… ${texts.length - mostLines + 1} more`] : texts,
    place: shown?.shown ?? '(elsewhere)',
    role: 'plain',
    details: detailsOf([`step ${step + 1} of ${names[process]}`, ...accesses.map(({ text, place: at }, i) => `  ${texts[i] ?? text}${at ? `   ${at.shown}` : ''}`)].join('\n'), shown, codeAt),
    locations: accesses.map(({ location }) => location),
  }
}
