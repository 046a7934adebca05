/** What is used here of jest-circus, which runs the tests. */

export type CircusFunction = (this: unknown, ...args: unknown[]) => unknown

export interface CircusHook {
  readonly type: 'beforeAll' | 'beforeEach' | 'afterEach' | 'afterAll'
  readonly fn: CircusFunction
}

/** A `describe`, or what stands around all of a file. */
export interface CircusBlock {
  readonly name: string
  readonly parent?: CircusBlock | undefined
  /** Read anew for each test. */
  hooks: readonly CircusHook[]
}

export interface CircusTest {
  readonly name: string
  readonly parent: CircusBlock
  readonly concurrent: boolean
  readonly failing: boolean
  readonly errors: readonly unknown[]
  fn: CircusFunction
  /** Milliseconds, where the test has its own. */
  timeout: number | undefined
}

/** As far as anybody here listens: a handler is waited for. */
export type CircusEvent = { readonly name: 'test_started' | 'test_done'; readonly test: CircusTest } | { readonly name: 'run_finish' }

type Handler = (event: CircusEvent) => unknown

/** From now on hears of what happens in this test file. @throws where tests are run by something else */
export function listenToCircus(handler: Handler): void {
  const handlers = Reflect.get(globalThis, Symbol.for('EVENT_HANDLERS')) as Handler[] | undefined
  if (!handlers) throw new Error("vitest-dpor: with `dpor: true` tests have to be run by jest-circus, which is Jest's own: take `testRunner` out of the Jest config")
  handlers.push(handler)
}

/** From the outermost one. */
export function blocksAround({ parent }: CircusTest): readonly CircusBlock[] {
  const blocks: CircusBlock[] = []
  for (let block: CircusBlock | undefined = parent; block; block = block.parent) blocks.unshift(block)
  return blocks
}

/** In the order in which they are called around a test. */
export function hooksAround(blocks: readonly CircusBlock[], type: 'beforeEach' | 'afterEach'): readonly CircusHook[] {
  const ordered = type === 'beforeEach' ? blocks : blocks.toReversed()
  return ordered.flatMap(({ hooks }) => hooks.filter((hook) => hook.type === type))
}
