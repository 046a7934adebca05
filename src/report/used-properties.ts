import type { InputAccess } from './input.ts'
import { isOfPackage } from './places.ts'
import { looksSame } from './values.ts'

/** Code of a package that keeps a value for somebody else, behind an accessor or the traps of a Proxy: `form.error = 'taken'`. */

/** What it does for a property of its object is an access of that property, in the line that uses it. */
export function asUsed({ key, place, used }: InputAccess): Pick<InputAccess, 'key' | 'place'> {
  return used?.place && place && isOfPackage(place) ? used : { key, place }
}

/** Setters look whether they are given anything new, before they put it there, or leave what is there, as it is the same. */
export function looksOfSetters(step: readonly InputAccess[]): (access: InputAccess) => 'before' | 'same' | undefined {
  const written = new Set(step.flatMap((access) => (access.kind === 'read' ? [] : (deedOf(access) ?? []))))
  return (access) => {
    const deed = access.kind === 'read' ? deedOf(access) : undefined
    if (deed === undefined) return undefined
    if (written.has(deed)) return 'before'
    return looksSame(access.value, access.used!.assigned!) ? 'same' : undefined
  }
}

const deedOf = ({ place, used, location }: InputAccess): string | undefined => (used?.assigned && place && isOfPackage(place) ? `${used.number} ${location}` : undefined)
