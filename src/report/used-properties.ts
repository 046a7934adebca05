import type { InputAccess } from './input.ts'
import { looksSame } from './values.ts'

/** Code of a package that keeps a value for others, behind an accessor or the traps of a Proxy: `form.error = 'taken'`. */

/** What it does for a property of its object is an access of that property, in the line that uses it. */
export function asUsed({ key, place, used }: InputAccess): Pick<InputAccess, 'key' | 'place'> {
  return used?.place ? used : { key, place }
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

const deedOf = ({ used, location }: InputAccess): string | undefined => (used?.assigned ? `${used.number} ${location}` : undefined)
