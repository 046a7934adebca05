/** How the body ends in a plain run. */
export async function plainRun(source: string): Promise<string> {
  const run = new Function(`'use strict'; return (async () => {${source}})()`) as () => Promise<string>
  return JSON.stringify(await run())
}
