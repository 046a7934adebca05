/** What Vitest keeps in a worker of what it is to run. */
interface Worker {
  readonly config?: { readonly testNamePattern?: unknown; readonly tagsFilter?: readonly unknown[] }
  readonly ctx?: { readonly files?: readonly { readonly testLocations?: readonly unknown[] }[] }
}

/** Whether this worker runs all tests of its files, and not only some that the command line names. */
export function runsWholeFiles(): boolean {
  const { config, ctx } = (Reflect.get(globalThis, '__vitest_worker__') ?? {}) as Worker
  return config?.testNamePattern === undefined && !config?.tagsFilter?.length && !ctx?.files?.some(({ testLocations }) => testLocations?.length)
}
