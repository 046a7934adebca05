import { OptionError } from '../engine/errors.ts'
import { noSuchOption, refusal, type Option } from '../engine/options.ts'
import { placeOf, type Layer } from './layers.ts'
import { optionTable } from './table.ts'

const table: Readonly<Record<string, Option & { readonly layers: readonly Layer[] }>> = optionTable

/** Everything that is wrong with what a layer says. */
export function problemsOf(layer: Layer, options: object): OptionError[] {
  return Object.entries(options).flatMap(([name, value]) => problemOf(layer, name, value) ?? [])
}

/** The names that a layer may use. */
export function namesOf(layer: Layer): string[] {
  return Object.keys(table).filter((name) => table[name]!.layers.includes(layer))
}

/** Whether a layer accepts this value. */
export function isAccepted(layer: Layer, name: string, value: unknown): boolean {
  return problemOf(layer, name, value) === undefined
}

function problemOf(layer: Layer, name: string, value: unknown): OptionError | undefined {
  return nameProblem(layer, name, value) ?? refusal(name, value, table[name]!)
}

/** What is wrong with setting an option there at all. `others`: what is accepted besides the table. */
export function nameProblem(layer: Layer, name: string, value: unknown, others: readonly string[] = []): OptionError | undefined {
  const option = Object.hasOwn(table, name) ? table[name] : undefined
  if (option === undefined) return noSuchOption(name, value, [...namesOf(layer), ...others])
  return option.layers.includes(layer) ? undefined : new OptionError(name, value, `it can be set only ${option.layers.map(placeOf).join(' or ')}`)
}
