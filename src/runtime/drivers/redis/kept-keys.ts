import { Math } from '../../../engine/intrinsics.ts'
import { KeptState } from '../kept-state.ts'
import type { Changes, Kept } from './client.ts'
import type { Argument, Control } from './control.ts'

/** What was stored under a key, as `DUMP` has it, and when it expires, if it does; undefined where there was nothing. */
type Copy = { readonly dump: Uint8Array; readonly expires: number | undefined } | undefined

/** A database with more keys is not copied. */
const mostKeys = 10_000

/** The keys of a database as one exploration has found them: each is copied before an execution changes it for the first time, and what an execution has changed is put back after it. */
export class KeptKeys extends KeptState implements Kept {
  readonly #name: string
  readonly #control: () => Promise<Control>
  readonly #kept = new Map<string, Copy>()
  #hasAll = false
  /** What the running execution may have changed. */
  readonly #touched = new Set<string>()
  #hasTouchedAll = false
  #isTooLarge = false

  /** @param name what a reader calls the database */
  constructor(name: string, control: () => Promise<Control>) {
    super()
    this.#name = name
    this.#control = control
  }

  touch(changes: Changes): boolean {
    if (changes === 'all') {
      this.#hasTouchedAll = true
      return this.#hasAll || this.#isTooLarge
    }
    for (const key of changes) this.#touched.add(key)
    return this.#hasAll || changes.every((key) => this.#kept.has(key))
  }

  async keep(changes: Changes): Promise<void> {
    if (this.touch(changes)) return
    const control = await this.#control()
    const keys = changes === 'all' ? await allKeys(control) : changes
    this.#isTooLarge = keys === undefined
    if (!keys) return
    const missing = keys.filter((key) => !this.#kept.has(key))
    const answers = await control.ask(missing.flatMap((key) => [['DUMP', key], ['PTTL', key]]))
    for (const [i, key] of missing.entries()) {
      const dump = answers[2 * i] as Uint8Array | null
      const left = Number(answers[2 * i + 1])
      this.#kept.set(key, dump === null ? undefined : { dump, expires: left >= 0 ? Date.now() + left : undefined })
    }
    this.#hasAll ||= changes === 'all'
  }

  protected get shown(): string {
    return `keys of the database ${this.#name}`
  }

  protected restoring(): ((stays: (why: string) => void) => Promise<void>) | undefined {
    const touched = new Set(this.#touched)
    const hasTouchedAll = this.#hasTouchedAll
    this.#touched.clear()
    this.#hasTouchedAll = false
    if (touched.size === 0 && !hasTouchedAll) return undefined
    return async (stays) => {
      const control = await this.#control()
      if (hasTouchedAll) for (const key of [...((await allKeys(control)) ?? []), ...this.#kept.keys()]) touched.add(key)
      await this.#restore(control, [...touched])
      if (hasTouchedAll && !this.#hasAll) stays(`there are more than ${mostKeys}`)
    }
  }

  protected async greet(): Promise<unknown> {
    return (await this.#control()).ask([['PING']])
  }

  async #restore(control: Control, touched: readonly string[]): Promise<void> {
    const known = touched.filter((key) => this.#kept.has(key) || this.#hasAll)
    const answers = await control.ask(known.flatMap((key) => [['DUMP', key], ['PTTL', key]]))
    const commands = known.flatMap((key, i) => undoing(key, { now: answers[2 * i] as Uint8Array | null, left: Number(answers[2 * i + 1]) }, this.#kept.get(key)))
    if (commands.length > 0) await control.ask(commands)
  }
}

/** What makes a key what it was. */
function undoing(key: string, { now, left }: { readonly now: Uint8Array | null; readonly left: number }, kept: Copy): readonly (readonly Argument[])[] {
  if (!kept) return now === null ? [] : [['DEL', key]]
  const isSame = now !== null && areSame(now, kept.dump) && left >= 0 === (kept.expires !== undefined)
  if (isSame && (kept.expires === undefined || Math.abs(left - (kept.expires - Date.now())) < slack)) return []
  return kept.expires === undefined || kept.expires > Date.now() ? [['RESTORE', key, kept.expires === undefined ? 0 : kept.expires - Date.now(), kept.dump, 'REPLACE']] : [['DEL', key]]
}

/** Milliseconds by which two moments differ that are one. */
const slack = 5

const areSame = (one: Uint8Array, other: Uint8Array): boolean => one.length === other.length && one.every((byte, i) => byte === other[i])

async function allKeys(control: Control): Promise<readonly string[] | undefined> {
  const [size] = await control.ask([['DBSIZE']])
  if (Number(size) > mostKeys) return undefined
  const [keys] = await control.ask([['KEYS', '*']])
  return (keys as readonly unknown[]).map(String)
}
