/** What the page does when it is pointed at: details of a box, steps by the arrow keys, the filter, the picture as a file. All of it is there to be read without. */
export const script = `
const details = document.getElementById('details')
const boxes = [...document.querySelectorAll('.box')]
const show = (box) => { details.textContent = box.dataset.details }
for (const box of boxes) {
  box.addEventListener('mouseenter', () => show(box))
  box.addEventListener('focus', () => show(box))
}
document.addEventListener('keydown', (event) => {
  if (!['ArrowDown', 'ArrowUp', 'j', 'k'].includes(event.key) || event.target.matches('input, summary')) return
  const seen = boxes.filter((box) => !box.classList.contains('faded') && box.getClientRects().length > 0)
  const at = seen.indexOf(document.activeElement)
  const next = event.key === 'ArrowDown' || event.key === 'j' ? at + 1 : at < 0 ? seen.length - 1 : at - 1
  if (!seen[next]) return
  event.preventDefault()
  seen[next].focus()
  seen[next].scrollIntoView({ block: 'nearest', inline: 'nearest' })
})
const picture = document.getElementById('svg')
picture?.addEventListener('click', () => {
  const copy = document.querySelector('svg.lanes').cloneNode(true)
  copy.prepend(Object.assign(document.createElementNS('http://www.w3.org/2000/svg', 'style'), { textContent: document.querySelector('style').textContent }))
  picture.href = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(new XMLSerializer().serializeToString(copy))
})
const filter = document.getElementById('filter')
filter?.addEventListener('input', () => {
  const wanted = filter.value.trim().toLowerCase()
  const whole = document.getElementById('whole')
  const left = new Set()
  for (const box of whole.querySelectorAll('.box')) {
    const isWanted = wanted === '' || box.dataset.locations.toLowerCase().includes(wanted)
    box.classList.toggle('faded', !isWanted)
    if (isWanted) left.add(box.dataset.id)
  }
  for (const edge of whole.querySelectorAll('.edge')) edge.classList.toggle('faded', !(left.has(edge.dataset.from) && left.has(edge.dataset.to)))
})
`
