import type { Access } from './accesses.ts'
import type { Explanation, ExplanationRow, ShownPlace } from './explanation.ts'
import type { Place } from './input.ts'
import type { Places } from './places.ts'
import type { Line, Told } from './told.ts'

const itself = (process: number): number => process

/** The lines of a story as rows, which have numbers. */
export function rowsOf({ lines, notes, requestOf = itself }: Told, places: Places): ExplanationRow[] {
  const numbers = new Map(lines.map(({ subject }, index) => [subject, index + 1]))
  const noted = notes?.((subject) => numbers.get(subject) ?? ('location' in subject ? numberOfRow(subject, lines) : undefined))
  return lines.map(({ process, step, text, place, via, subject }, index) => {
    const note = noted?.get(subject)
    return { number: index + 1, process: requestOf(process), step, text, ...placed({ place, via }, places), ...(note === undefined ? {} : { note }) }
  })
}

/** The rows of the two accesses whose order matters. */
export function passingOrder({ lines, passesWith }: Told): Pick<Explanation, 'passesWith'> {
  if (!passesWith) return {}
  const [first, second] = [passesWith.first, passesWith.second].map((access) => numberOfRow(access, lines))
  return first === undefined || second === undefined || first === second ? {} : { passesWith: [first, second] }
}

/** The lines of the passing order as rows, without those with which both begin. Where one of the two that come the other way round is not done there, or elsewhere, the rest shows nobody how they do. */
export function passingRows(told: Told, rows: readonly ExplanationRow[], places: Places): Pick<Explanation, 'passing'> {
  const { lines, passing, requestOf = itself } = told
  if (!passing) return {}
  const all = passing.map(({ process, step, text, place, via, original }) => ({ number: numberOfRow(original, lines)!, process: requestOf(process), step, text, ...placed({ place, via }, places) }))
  const both = passingOrder(told).passesWith ?? []
  if (!both.every((row) => all.some(({ number }) => number === row))) return {}
  const parts = all.findIndex(({ number, text }, i) => rows[i]?.number !== number || rows[i].text !== text)
  return parts < 0 ? {} : { passing: all.slice(parts) }
}

/** What servers were asked for, by rows. */
export function statementsOf({ lines }: Told): Pick<Explanation, 'statements'> {
  const statements = lines.flatMap(({ subject }, index) => {
    const statement = 'location' in subject ? subject.statement : undefined
    return statement?.text === undefined ? [] : [{ number: index + 1, text: statement.text.replaceAll(/\s+/g, ' ').trim(), level: statement.level?.toUpperCase() ?? 'of its own' }]
  })
  return statements.length === 0 ? {} : { statements }
}

/** Of an update, which is one row, both accesses are that row. */
function numberOfRow({ index, step, process, location }: Access, lines: readonly Line[]): number | undefined {
  const row = lines.findIndex(({ subject }) => 'location' in subject && (subject.index === index || (subject.step === step && subject.process === process && subject.location === location)))
  return row < 0 ? undefined : row + 1
}

function placed({ place, via }: Pick<Line, 'place' | 'via'>, places: Places): Pick<ExplanationRow, 'place' | 'via' | 'where'> {
  const own = { ...shown('place', place, places), ...shown('via', via, places) }
  return { ...own, where: `${own.via ? `${own.via.shown} > ` : ''}${own.place?.shown ?? '(elsewhere)'}` }
}

/** The property, where there is such a place. */
export function shown<Key extends string>(key: Key, place: Place | undefined, places: Places): { [K in Key]?: ShownPlace } {
  return (place ? { [key]: places.show(place) } : {}) as { [K in Key]?: ShownPlace }
}
