/** What files of packages export that talk to a database, keep what an execution has of its own, or look for elements, by the end of their path or by what they are. Each copy of a package is loaded by itself. */

type Take = (exported: unknown) => void

const loaded: (readonly [file: string, exported: unknown])[] = []
const takers = new Map<string, Take>()

/** Such a file has been loaded. */
export function rememberDriver(file: string, exported: unknown): void {
  const take = takers.get(file)
  if (take) take(exported)
  else loaded.push([file, exported])
}

/** Calls back with what such a file exports: at once where it has been loaded, and whenever it is. */
export function whenDriverIsLoaded(file: string, take: Take): void {
  takers.set(file, take)
  for (const [name, exported] of loaded) if (name === file) take(exported)
}
