/** Variables that other files import. */
export let count = 0
export let read = (): string => 'old'
let hidden = 0
export { hidden as shown }

export default function find(): string {
  return 'old'
}

export function increment(): void {
  count++
}

export function replace(): void {
  read = () => 'new'
}

export function show(value: number): void {
  hidden = value
}
