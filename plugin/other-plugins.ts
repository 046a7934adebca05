import type { KnownPlugin } from './kept-modules.ts'
import { isComponent } from './files.ts'
import { isKnown } from './kept-modules.ts'

/** When a file is instrumented. `'as it is written'`: no plugin of others changes it. `'now'`: all that may have done so before. `'later'`: some come later. */
export type Turn = 'as it is written' | 'now' | 'later'

/** A hook of a plugin, as far as it says when, and for which files, it is called. */
interface Hook {
  readonly order?: 'pre' | 'post' | null
  readonly filter?: unknown
}

interface Other {
  readonly takes: (id: string) => boolean
  readonly isLater: boolean
}

/**
 * The plugins of a project that may change the text of a file: they are to find it as it is written, whatever order they ask for, so it is instrumented when the last of
 * them has seen it.
 */
export class OtherPlugins {
  /** What stands in the place where files are instrumented later comes after types and JSX are taken out. */
  readonly isAfterCompiler: boolean
  /** What to put where, to be called there; undefined: nobody comes later. */
  readonly later: { readonly behind: KnownPlugin; readonly order: 'post' | null } | undefined
  readonly #others: readonly Other[]

  /** @param own where files are instrumented if nobody else comes later */
  constructor(plugins: readonly KnownPlugin[], own: KnownPlugin) {
    const inOrder = byOrder(plugins.filter(({ transform }) => transform !== undefined))
    const ownIndex = inOrder.indexOf(own)
    const others = inOrder.flatMap((plugin, i) => (isKnown(plugin) && !compilesComponents(plugin) ? [] : [{ plugin, isLater: i > ownIndex }]))
    const last = others.at(-1)
    this.#others = others.map(({ plugin, isLater }) => ({ isLater, takes: (id) => (!isKnown(plugin) || isComponent(id.split('?')[0]!)) && mayTake(plugin.transform, id) }))
    this.later = last?.isLater ? { behind: last.plugin, order: orderOf(last.plugin) === 'post' ? 'post' : null } : undefined
    const compiler = inOrder.findIndex(({ name }) => name === 'vite:oxc' || name === 'vite:esbuild')
    this.isAfterCompiler = last !== undefined && compiler !== -1 && compiler < inOrder.indexOf(last.plugin)
  }

  turnOf(id: string): Turn {
    const those = this.#others.filter((other) => other.takes(id))
    if (those.length === 0) return 'as it is written'
    return those.some(({ isLater }) => isLater) ? 'later' : 'now'
  }
}

/** Among those that change no other files. */
const compilesComponents = ({ name }: KnownPlugin): boolean => name === 'vite:vue'

const hookOf = (hook: unknown): Hook => (typeof hook === 'object' && hook !== null ? hook : {})
const orderOf = ({ transform }: KnownPlugin): 'pre' | 'post' | null => hookOf(transform).order ?? null

/** As Vite calls their hooks. */
function byOrder(plugins: readonly KnownPlugin[]): KnownPlugin[] {
  const of = (order: 'pre' | 'post' | null): KnownPlugin[] => plugins.filter((plugin) => orderOf(plugin) === order)
  return [...of('pre'), ...of(null), ...of('post')]
}

/** As far as the filter of a hook tells. Globs are taken to match whatever they are asked for. */
function mayTake(hook: unknown, id: string): boolean {
  const { filter } = hookOf(hook)
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter) || !('id' in filter)) return true
  const patterns = filter.id
  const { include, exclude } = isPatterns(patterns) ? { include: patterns, exclude: [] } : (patterns as { include?: unknown; exclude?: unknown })
  const matches = (pattern: unknown): boolean | undefined => (pattern instanceof RegExp ? id.search(pattern) !== -1 : undefined)
  if (listOf(exclude).some((pattern) => matches(pattern) === true)) return false
  return listOf(include).length === 0 || listOf(include).some((pattern) => matches(pattern) !== false)
}

const isPatterns = (value: unknown): boolean => typeof value === 'string' || value instanceof RegExp || Array.isArray(value)
const listOf = (value: unknown): unknown[] => (value === undefined ? [] : Array.isArray(value) ? value : [value])
