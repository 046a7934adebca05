import type { Access } from './accesses.ts'
import type { Path } from './parts.ts'

/**
 * The part of what a package keeps and hands out as a whole at which the failing line looks: `user.name` of `store.getState().user.name`.
 *
 * @param seen what the failing line does
 */
export function usedPartOf({ location }: Pick<Access, 'location'>, seen: readonly Access[]): Path | undefined {
  const asked = seen.filter((access) => access.location === location && access.key.kind === 'answer' && access.kind === 'read')
  const [path, ...others] = asked.map((access) => pathFrom(access, seen))
  return path && path.length > 0 && others.every((other) => other.join(' ') === path.join(' ')) ? path : undefined
}

/** As far as one part alone is looked at. */
function pathFrom({ value: { identity }, index }: Access, seen: readonly Access[]): Path {
  const looks = identity === undefined ? [] : seen.filter((access) => access.index > index && access.kind === 'read' && access.object === identity)
  const names = new Set(looks.map(({ key }) => (key.kind === 'property' ? key.name : key.kind === 'element' ? String(key.index) : undefined)))
  const [name] = names
  return name === undefined || names.size > 1 ? [] : [name, ...pathFrom(looks[0]!, seen)]
}
