/**
 * A project that extends the config of another one has the plugins of both. The own ones come last, and are the ones that are meant: whatever were done twice would
 * undo the first.
 */
export function isLastOfItsName(plugin: { readonly name: string }, plugins: unknown): boolean {
  const last = [plugins].flat(Infinity).findLast((one) => typeof one === 'object' && one !== null && 'name' in one && one.name === plugin.name)
  return last === undefined || last === plugin
}
