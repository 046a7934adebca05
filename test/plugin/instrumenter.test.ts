import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { Instrumenter, type Makers, type ProvidedPackages } from '../../plugin/packages/instrument.ts'
import { keepVariables, restored, rewrite, stateOf } from '../../plugin/packages/makers.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'vitest-dpor-instrumenter-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const source = 'exports.f = (o) => o.p'

const provided: ProvidedPackages = { inline: 'auto', opaque: [], include: undefined, exclude: [], folder, version: '1', platform: [], everywhere: false, hasContexts: false, exploring: [], withoutPackages: [] }

function made(how: Partial<ProvidedPackages> = {}, by: Makers['rewrite'] = rewrite) {
  const told: string[] = []
  return { told, instrumenter: new Instrumenter({ ...provided, ...how }, { rewrite: by, keepVariables, restored, stateOf }, (name) => void told.push(name)) }
}

test('paths of Windows', () => {
  const { told, instrumenter } = made({ opaque: ['@left/one'] })
  expect(instrumenter.instrument(source, String.raw`C:\app\node_modules\.pnpm\a@1\node_modules\@scope\a\index.js`)).toContain("__dpor.file('C:/app/node_modules/.pnpm/a@1/node_modules/@scope/a/index.js'")
  expect(instrumenter.instrument(source, String.raw`C:\app\node_modules\@vitest\spy\index.js`)).toBeUndefined()
  expect(instrumenter.instrument(source, String.raw`C:\app\node_modules\@left\one\index.js`)).toBeUndefined()
  expect(told).toEqual(['@left/one'])
})

test('what is on disk is not made again, of another text or by another version it is', () => {
  const by = vi.fn(rewrite)
  const file = '/app/node_modules/once/index.js'
  for (const version of ['1', '1', '2']) made({ version }, by).instrumenter.instrument(source, file)
  expect(by).toHaveBeenCalledTimes(2)
  made({}, by).instrumenter.instrument(`${source}; exports.g = 1`, file)
  expect(by).toHaveBeenCalledTimes(3)
})

test('what was asked of the text of a function is on disk as well: the next worker need not load what answers', () => {
  const makers = { rewrite, keepVariables, restored: vi.fn(restored), stateOf: vi.fn(stateOf) }
  const ask = (version: string) => {
    const { texts } = new Instrumenter({ ...provided, version }, makers, () => {})
    return [texts.written(asRun), texts.written('(__dpor'), texts.stateOf('() => 1'), texts.stateOf('() => total++')]
  }
  const asRun = "async (a) => { return __dpor.run(async () => { return (__dporOn ? __dpor.get(a, 'p', $dpor+1) : a.p) }, '', $dpor+2) }"
  const answers = [restored(asRun), undefined, stateOf('() => 1'), stateOf('() => total++')]
  expect(['asked', 'asked'].map(ask)).toEqual([answers, answers])
  expect([makers.restored, makers.stateOf].map(({ mock }) => mock.calls.length)).toEqual([2, 2])
  expect(ask('asked of another version')).toEqual(answers)
  expect([makers.restored, makers.stateOf].map(({ mock }) => mock.calls.length)).toEqual([4, 4])
})

test('which globals are of the platform the main process says: a test environment may have added to those that are here', () => {
  const code = (platform: readonly string[]) => made({ platform, version: platform.join() }).instrumenter.instrument('exports.f = () => typeof window', '/app/node_modules/windows/index.js')
  expect(code([])).toContain("(__dpor.has('window', globalThis, ")
  expect(code(['window'])).toContain("(__dpor.isReplaced && __dpor.builtIn(globalThis, 'window', ")
})

test('what has been instrumented is not instrumented again', () => {
  const { instrumenter } = made()
  const once = instrumenter.instrument(source, '/app/node_modules/twice/index.js')!
  expect(instrumenter.instrument(once, '/app/node_modules/twice/index.js')).toBeUndefined()
})

test('a file that cannot be rewritten stays as it is, and its package is named once', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { told, instrumenter } = made({}, () => {
    throw new Error('no')
  })
  for (const name of ['a', 'b']) expect(instrumenter.instrument(source, `/app/node_modules/odd/${name}.js`)).toBeUndefined()
  expect(warn.mock.calls.map(([text]) => text as string)).toEqual([expect.stringContaining("dpor({ opaque: ['odd'] })")])
  expect(told).toEqual(['odd'])
  warn.mockRestore()
})
