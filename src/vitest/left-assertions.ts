/** As Vitest keeps them: what a test asserts of promises (`expect(promise).resolves`) and is not settled yet. */
interface Asserting {
  readonly promises?: readonly unknown[] | undefined
}

/** What the body has asserted of promises without waiting for it: Vitest does so, and the test fails by it. Undefined where there is nothing. */
export function waitForLeft({ promises = [] }: Asserting): (() => Promise<void>) | undefined {
  return promises.length === 0 ? undefined : () => settled([...promises])
}

/** @throws the error of the first of them that fails */
async function settled(promises: readonly unknown[]): Promise<void> {
  for (const one of await Promise.allSettled(promises)) if (one.status === 'rejected') throw one.reason
}
