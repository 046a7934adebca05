import { keyOf, type Race } from './race.ts'

/** Races that a project knows of, and has put off. */
export interface KnownRace extends Pick<Race, 'kind' | 'title' | 'file' | 'code'> {
  /** Some test that finds it. */
  readonly test: string
}

/** What a file says that was written by `baselineText`. @throws SyntaxError or TypeError for any other */
export function readBaseline(text: string): KnownRace[] {
  const { races } = JSON.parse(text) as { races?: unknown }
  if (!Array.isArray(races) || !races.every(isKnownRace)) throw new TypeError('it has no list of races, as this package writes it')
  return races
}

function isKnownRace(value: unknown): value is KnownRace {
  return typeof value === 'object' && value !== null && ['kind', 'title', 'file', 'code', 'test'].every((name) => typeof Reflect.get(value, name) === 'string')
}

/** Each race once, in an order that does not depend on that of the tests. */
export function baselineText(found: readonly { readonly race: Race; readonly test: string }[]): string {
  const byKey = new Map<string, KnownRace>()
  for (const { race, test } of found.toSorted((one, other) => (one.test < other.test ? -1 : 1))) {
    const { kind, title, file, code } = race
    if (!byKey.has(keyOf(race))) byKey.set(keyOf(race), { kind, title, file, code, test })
  }
  const races = [...byKey.entries()].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, race]) => race)
  return `${JSON.stringify({ races }, undefined, 2)}\n`
}
