import { Search, type LocationId } from '../../src/engine/index.ts'

/** One step of a hand-driven process: what it tells the search. */
export type DrivenStep = (search: Search) => void

export const read = (location: number): DrivenStep => (search) => search.read(location as LocationId)
export const write = (location: number): DrivenStep => (search) => search.write(location as LocationId)
export const wait = (location: number): DrivenStep => (search) => search.wait(location as LocationId)
export const allOf =
  (...parts: readonly DrivenStep[]): DrivenStep =>
  (search) => {
    for (const part of parts) part(search)
  }
export const nothing: DrivenStep = () => {}

/** Runs one execution of processes that always have the same steps; tells the ordinals in their order. */
export function drive(search: Search, processes: readonly (readonly DrivenStep[])[]): number[] {
  const ids = processes.map(() => search.spawn())
  const positions = processes.map(() => 0)
  const order: number[] = []
  for (;;) {
    const enabled = ids.filter((_, i) => positions[i]! < processes[i]!.length)
    if (enabled.length === 0) {
      search.finish({ status: 'complete' })
      return order
    }
    const chosen = search.choose(enabled)
    if (chosen === undefined) {
      search.finish({ status: 'blocked' })
      return order
    }
    const i = ids.indexOf(chosen)
    processes[i]![positions[i]!++]!(search)
    search.endStep()
    order.push(search.ordinal(chosen))
  }
}

/** The orders of all executions. */
export function driveAll(search: Search, processes: readonly (readonly DrivenStep[])[]): number[][] {
  const orders: number[][] = []
  while (search.next()) orders.push(drive(search, processes))
  return orders
}

