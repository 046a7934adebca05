import type pc from 'picocolors'
import type { Explanation, ExplanationRow } from './explanation.ts'

/** Rows, and the processes that they are of. */
export type Story = Pick<Explanation, 'rows' | 'columns'>

export type Colors = ReturnType<typeof pc.createColors>

/** More columns than these are hard to follow. */
const mostColumns = 3
/** In front of every row longer ones would be in the way. */
const longestTitle = 20
/** Between a place and what happened there, and before a note. */
const gap = '   '
/** Between two columns. */
const columnGap = 4

/** The rows: one column for every process where they fit, else the process's name in front. */
export function storyLines(story: Story, width: number, colors: Colors): string[] {
  const { rows, columns } = story
  if (rows.length === 0) return []
  const layout = layoutOf(story)
  const isWide = columns.length <= mostColumns && widthOf(story, layout) <= width
  return isWide ? inColumns(story, layout, colors) : inOneColumn(story, layout, colors)
}

interface Layout {
  readonly numberWidth: number
  readonly placeWidth: number
  /** Where each process's column starts. */
  readonly starts: ReadonlyMap<number, number>
}

function layoutOf({ rows, columns }: Story): Layout {
  const numberWidth = String(rows.length).length
  const placeWidth = Math.max(...rows.map((row) => row.where.length))
  const starts = new Map<number, number>()
  let start = numberWidth + 2
  for (const { ordinal, title } of columns) {
    starts.set(ordinal, start)
    const cells = rows.filter(({ process }) => process === ordinal).map((row) => cellWidth(row, placeWidth))
    start += Math.max(title.length, ...cells) + columnGap
  }
  return { numberWidth, placeWidth, starts }
}

function widthOf({ rows }: Story, { placeWidth, starts }: Layout): number {
  return Math.max(...rows.map((row) => starts.get(row.process)! + cellWidth(row, placeWidth) + noteText(row).length))
}

function inColumns({ rows, columns }: Story, layout: Layout, colors: Colors): string[] {
  let names = ''
  let end = 0
  for (const { ordinal, title } of columns) {
    const start = layout.starts.get(ordinal)!
    names += ' '.repeat(start - end) + colors.bold(title)
    end = start + title.length
  }
  return [
    names,
    ...rows.map((row) => {
      const number = numberText(row, layout)
      return number + ' '.repeat(layout.starts.get(row.process)! - number.length) + cell(row, layout, colors)
    }),
  ]
}

function inOneColumn({ rows, columns }: Story, layout: Layout, colors: Colors): string[] {
  const isShort = columns.every(({ title }) => title.length <= longestTitle)
  const names = new Map(columns.map(({ ordinal, name, title }) => [ordinal, isShort ? title : name]))
  const nameWidth = Math.max(...[...names.values()].map((name) => name.length))
  return rows.map((row) => {
    const name = names.get(row.process)!
    return `${numberText(row, layout)}  ${colors.bold(name)}${' '.repeat(nameWidth - name.length)}${gap}${cell(row, layout, colors)}`
  })
}

function cell(row: ExplanationRow, { placeWidth }: Layout, colors: Colors): string {
  const note = noteText(row)
  const text = note === '' ? row.text : colors.yellow(row.text)
  return colors.dim(row.where.padEnd(placeWidth)) + gap + text + (note === '' ? '' : colors.yellow(note))
}

function numberText({ number }: ExplanationRow, { numberWidth }: Layout): string {
  return String(number).padStart(numberWidth)
}

function cellWidth({ text }: ExplanationRow, placeWidth: number): number {
  return placeWidth + gap.length + text.length
}

function noteText({ note }: ExplanationRow): string {
  return note === undefined ? '' : `${gap}<- ${note}`
}
