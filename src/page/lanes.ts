import { escaped } from './html.ts'

/** A column of the picture: one process. */
export interface Lane {
  readonly ordinal: number
  readonly name: string
}

/** A box in a lane. */
export interface Box {
  /** By which edges find it. */
  readonly id: number
  /** In the margin. */
  readonly number: string
  readonly lane: number
  readonly lines: readonly string[]
  /** Below them, small: where in the source. */
  readonly place: string
  /** What it is part of: the cause of the failure stands out. */
  readonly role: 'plain' | 'cause' | 'harm'
  /** What is told of it when it is pointed at. */
  readonly details: string
  /** What the filter looks at. */
  readonly locations: readonly string[]
}

export interface Edge {
  readonly from: number
  readonly to: number
  readonly kind: 'enforced' | 'conflict'
}

export interface Picture {
  readonly label: string
  readonly lanes: readonly Lane[]
  readonly boxes: readonly Box[]
  readonly edges: readonly Edge[]
}

const margin = 44
const laneGap = 24
const narrowestLane = 150
const widestLane = 380
const lineHeight = 17
const headHeight = 30
const padding = 6
const boxGap = 8
/** So many boxes have their places below, and the passing order beside them; where there are more, places stand at the end of the last line, so that all is seen at once. */
const mostRoomy = 6
/** Where there are more, a box begins so far below the beginning of the one before, where that is in another lane. */
const stair = lineHeight + 2 * padding
/** A picture that is a little too wide is shown smaller by this much; a wider one is moved. */
const mostShrunk = 0.8
/** Of the letters that are used: all of one width. */
const letter = 7.3

interface Placed extends Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** The place stands at the end of the last line. */
  readonly isBeside: boolean
}

/** Lanes beside each other, time downwards, arrows from what comes before to what has to come after it, or did. */
export function lanesPicture(picture: Picture): string {
  const { label, lanes, boxes, edges } = picture
  const { starts, widths, width } = columnsOf(picture)
  let y = headHeight + boxGap
  const isDense = boxes.length > mostRoomy
  /** Where the next box of a lane can begin. */
  const bottoms = new Map<number, number>()
  const placed = new Map<number, Placed>()
  for (const box of boxes) {
    const own = widths.get(box.lane)!
    const isBeside = isDense && widthOf(lastWithPlace(box)) <= own
    const height = (box.lines.length + (isBeside ? 0 : 1)) * lineHeight + 2 * padding
    y = Math.max(y, bottoms.get(box.lane) ?? 0)
    placed.set(box.id, { ...box, x: starts.get(box.lane)!, y, width: own, height, isBeside })
    const end = y + height + boxGap
    bottoms.set(box.lane, end)
    y = isDense ? y + stair : end
  }
  const bottom = Math.max(y, ...bottoms.values())
  const heads = lanes.map(({ ordinal, name }) => headOf(name, { x: starts.get(ordinal)!, width: widths.get(ordinal)!, bottom }))
  const arrows = edges.flatMap(({ from, to, kind }) => {
    const [one, other] = [placed.get(from), placed.get(to)]
    return one && other ? [arrow(one, other, kind)] : []
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="lanes" viewBox="0 0 ${width} ${bottom}" width="${width}" height="${bottom}" style="max-width:max(100%,${Math.round(width * mostShrunk)}px)" role="group" aria-label="${escaped(label)}">`,
    ...heads,
    ...arrows,
    ...[...placed.values()].map(boxOf),
    '</svg>',
  ].join('\n')
}

function columnsOf({ lanes, boxes }: Picture): { starts: ReadonlyMap<number, number>; widths: ReadonlyMap<number, number>; width: number } {
  const starts = new Map<number, number>()
  const widths = new Map<number, number>()
  let x = margin
  for (const { ordinal, name } of lanes) {
    const own = boxes.filter(({ lane }) => lane === ordinal)
    const beside = boxes.length > mostRoomy ? own.map(lastWithPlace).filter((line) => widthOf(line) <= widestLane) : []
    const texts = [name, ...own.flatMap(({ lines, place }) => [...lines, place]), ...beside]
    const width = Math.round(Math.min(widestLane, Math.max(narrowestLane, ...texts.map(widthOf))))
    starts.set(ordinal, x)
    widths.set(ordinal, width)
    x += width + laneGap
  }
  return { starts, widths, width: x }
}

const widthOf = (text: string): number => text.length * letter + 2 * padding + 4

/** A place is short of the last line by this much. */
const lastWithPlace = ({ lines, place }: Box): string => `${lines.at(-1) ?? ''}   ${place}`

function headOf(name: string, { x, width, bottom }: { readonly x: number; readonly width: number; readonly bottom: number }): string {
  const middle = x + width / 2
  return `<g aria-hidden="true"><line class="life" x1="${middle}" y1="${headHeight}" x2="${middle}" y2="${bottom}"/><text class="name" x="${middle}" y="22" text-anchor="middle">${escaped(cut(name, width))}</text></g>`
}

function boxOf({ id, number, x, y, width, height, lines, place, role, details, locations, isBeside }: Placed): string {
  const texts = lines.map((line, i) => `<text x="${x + padding}" y="${y + padding + 13 + i * lineHeight}">${escaped(cut(line, width))}</text>`)
  const [footX, footLine, anchor] = isBeside ? [x + width - padding, lines.length - 1, ' text-anchor="end"'] : [x + padding, lines.length, '']
  const foot = `<text class="place" x="${footX}" y="${y + padding + 13 + footLine * lineHeight}"${anchor}>${escaped(cut(place, width))}</text>`
  return (
    `<g class="box ${role}" tabindex="0" role="img" data-id="${id}" data-locations="${escaped(locations.join('\n'))}" aria-label="${escaped(`${number}: ${lines.join('; ')}, ${place}`)}" data-details="${escaped(details)}">` +
    `<title>${escaped(details)}</title><text class="number" x="${margin - 14}" y="${y + padding + 13}" text-anchor="end">${escaped(number)}</text>` +
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="5"/>${texts.join('')}${foot}</g>`
  )
}

function arrow(from: Placed, to: Placed, kind: Edge['kind']): string {
  const isRightwards = from.x < to.x
  const [startX, endX] = isRightwards ? [from.x + from.width, to.x] : [from.x, to.x + to.width]
  const [startY, endY] = [from.y + from.height / 2, to.y + to.height / 2]
  const bend = isRightwards ? laneGap / 2 : -laneGap / 2
  const tip = isRightwards ? -6 : 6
  return (
    `<g class="edge ${kind}" data-from="${from.id}" data-to="${to.id}" aria-hidden="true"><path d="M${startX},${startY} C${startX + 2 * bend},${startY} ${endX - 2 * bend},${endY} ${endX + tip},${endY}"/>` +
    `<polygon points="${endX},${endY} ${endX + tip},${endY - 4} ${endX + tip},${endY + 4}"/></g>`
  )
}

function cut(text: string, width: number): string {
  const room = Math.floor((width - 2 * padding) / letter)
  return text.length > room ? `${text.slice(0, Math.max(1, room - 1))}…` : text
}
