import { escaped } from './html.ts'
import type { Box, Lane, Picture } from './lanes.ts'

/** The same as lanes beside each other, where there is no room for these: one box below the other, each with whose it is, further in for every lane. */
export function columnOf({ label, lanes, boxes }: Picture): string {
  return `<ol class="column" aria-label="${escaped(label)}">\n${boxes.map((box) => itemOf(box, lanes)).join('\n')}\n</ol>`
}

function itemOf({ id, number, lane, lines, place, role, details, locations }: Box, lanes: readonly Lane[]): string {
  const position = lanes.findIndex(({ ordinal }) => ordinal === lane)
  const texts = lines.map((line) => `<span>${escaped(line)}</span>`).join('')
  return (
    `<li class="box ${role}" style="--lane:${Math.max(0, position)}" tabindex="0" data-id="${id}" data-locations="${escaped(locations.join('\n'))}" data-details="${escaped(details)}">` +
    `<span class="whose"><span>${escaped(number)}</span> <strong>${escaped(lanes[position]?.name ?? '')}</strong> <span class="place">${escaped(place)}</span></span>${texts}</li>`
  )
}
