/**
 * A project that extends the config of another one has the plugins of both. The own ones come last, and are the ones that are meant: whatever were done twice would
 * undo the first.
 */
export function isLastOfItsName(plugin: { readonly name: string }, plugins: unknown): boolean {
  const last = named(plugins, plugin.name).at(-1)
  return last === undefined || last === plugin
}

/** Plugins by which tests run in no process of Node's. */
const elsewhere = ['@cloudflare/vitest-plugin', '@cloudflare/vitest-pool-workers']

/** The plugin that has tests of a project run elsewhere than in Node or a browser, where none can be explored. */
export const runsElsewhere = (plugins: unknown): string | undefined => elsewhere.find((name) => named(plugins, name).length > 0)

const named = (plugins: unknown, name: string): unknown[] => [plugins].flat(Infinity).filter((one) => typeof one === 'object' && one !== null && 'name' in one && one.name === name)
