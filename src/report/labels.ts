import type { Access } from './accesses.ts'
import { grouped } from './grouped.ts'

/** What the locations of one story are called: one name each, and different ones for different locations. */
export class Labels {
  readonly #names = new Map<number, string>()

  constructor(accesses: readonly Access[]) {
    const locations = grouped(accesses, ({ location }) => location)
    const byName = grouped(locations.keys(), (location) => commonLabel(locations.get(location)!))
    for (const [name, same] of byName) {
      for (const [index, location] of same.entries()) {
        this.#names.set(location, same.length === 1 ? name : numbered(name, index + 1))
      }
    }
  }

  /** `account.balance` */
  full({ location, label }: Access): string {
    return this.#names.get(location) ?? label
  }

  /** In the rows: `balance`, if the story is about that alone. */
  short(access: Access): string {
    const name = this.full(access)
    if (this.#names.size > 1) return name
    const property = /\.(#?[\p{L}_$][\p{L}\p{N}_$]*)$/u.exec(name)?.[1]
    return property === undefined || property === 'length' || property === 'size' ? name : property
  }
}

/** The label that most accesses give it; they call an object as their code does. */
function commonLabel(accesses: readonly Access[]): string {
  let common = ''
  let most = 0
  for (const [label, same] of grouped(accesses, (access) => access.label)) {
    if (same.length > most) [common, most] = [label, same.length]
  }
  return common === '' ? '(unnamed)' : common
}

/** `lock#2.held` */
function numbered(name: string, number: number): string {
  const end = name.search(/[.[(]/)
  return end < 0 ? `${name}#${number}` : `${name.slice(0, end)}#${number}${name.slice(end)}`
}
