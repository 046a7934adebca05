import { describe, expect, test } from 'vitest'
import { renderPage } from '../../src/page/index.ts'
import { lanesPicture, type Box } from '../../src/page/lanes.ts'
import { explain, otherOrder, saidOf, wholeExecution, type Explanation } from '../../src/report/index.ts'
import { exploreRecorded } from '../../src/runtime/index.ts'
import { Investigation } from '../../src/testing/experiment.ts'
import { bodyOf } from '../report/executed.ts'

/** The page of the first failure. */
async function pageOf(code: string, { name = 'the test', statements }: { readonly name?: string; readonly statements?: Explanation['statements'] } = {}): Promise<{ page: string; explanation: Explanation }> {
  const body = bodyOf(code)
  const investigation = new Investigation()
  const { result, recording } = await exploreRecorded(body, { reproduce: 1, investigate: investigation.investigate })
  const explanation = explain({ recording: recording!, failure: result.failures[0]!, experiment: investigation.experiment, executions: result.executions, complete: true, root: '/', name })
  const steps = wholeExecution({ recording: recording!, root: '/' })
  return { page: renderPage({ explanation: { ...explanation, ...(statements && { statements }) }, said: saidOf(explanation), steps, names: recording!.names, codeAt: ({ line }) => `> ${line}  code` }), explanation }
}

const lost = `
  const box = { n: 0 }
  const add = async () => { await null; const n = box.n; await null; box.n = n + 1 }
  await Promise.all([add(), add()])
  if (box.n !== 2) throw new Error('lost')`

const boxesIn = (html: string): string[] => [...html.matchAll(/<g class="box (\w+)"[^>]* aria-label="([^"]*)"/g)].map(([, role, label]) => `${role} ${unescaped(label!)}`)
const unescaped = (text: string): string => text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))

/** The tags that are open when the text ends; a tag that closes another one than the last is an error. */
function openTags(html: string): string[] {
  const open: string[] = []
  const markup = html.replaceAll(/<(script|style)>[^]*?<\/\1>/g, '').replace('<!doctype html>', '')
  for (const [, closes, name, selfClosing] of markup.matchAll(/<(\/?)([\w-]+)(?:\s(?:"[^"]*"|[^">])*?)?(\/?)>/g)) {
    if (selfClosing || ['meta', 'input'].includes(name!)) continue
    if (!closes) open.push(name!)
    else if (open.pop() !== name) throw new Error(`</${name}> closes another one`)
  }
  return open
}

describe('a page', () => {
  test('shows the failing order, with the cause, beside the passing one', async () => {
    const { page, explanation } = await pageOf(lost)
    const [failing, passing] = page.split('<h2 class="good">This order passes</h2>')
    expect(boxesIn(failing!)).toEqual([
      'plain 1: read n -> 0, executed-1.cjs:3',
      'cause 2: read n -> 0, executed-1.cjs:3',
      'cause 3: write n = 1, executed-1.cjs:3',
      'harm 4: write n = 1; ← stale since 3, executed-1.cjs:3',
    ])
    expect(boxesIn(passing!.split('<details')[0]!)).toEqual([
      'plain 1: read n -> 0, executed-1.cjs:3',
      'plain 3: write n = 1, executed-1.cjs:3',
      'plain 2: read n -> 1, executed-1.cjs:3',
      'plain 4: write n = 2, executed-1.cjs:3',
    ])
    expect(explanation.edges).toContainEqual({ from: 2, to: 3, kind: 'conflict' })
    expect(failing).toMatch(/<g class="edge conflict" data-from="2" data-to="3"/)
  })

  test('has the same in one column where lanes have no room beside each other, with whose each step is', async () => {
    const { page } = await pageOf(lost)
    const [failing, passing] = page.split('<ol class="column"').slice(1).map((part) => part.split('</ol>')[0]!)
    const items = (html: string): string[] => [...html.matchAll(/<li class="box (\w+)" style="--lane:(\d)" tabindex="0"[^>]*>(.*?)<\/li>/g)].map(([, role, lane, text]) => `${role} ${lane} ${unescaped(text!.replaceAll(/<[^>]*>/g, ''))}`)
    expect(items(failing!)).toEqual([
      'plain 0 1 add#1 executed-1.cjs:3read n -> 0',
      'cause 1 2 add#2 executed-1.cjs:3read n -> 0',
      'cause 0 3 add#1 executed-1.cjs:3write n = 1',
      'harm 1 4 add#2 executed-1.cjs:3write n = 1← stale since 3',
    ].map((text) => text.replace('executed-1.cjs', /executed-\d+\.cjs/.exec(failing!)![0])))
    expect(items(passing!)).toHaveLength(4)
    expect(openTags(page)).toEqual([])
    expect(page).toMatch(/@media screen and \(max-width: 700px\) \{[^]*\.beside \{ display: none; \}\s*ol\.column \{ display: block; \}/)
  })

  test.each(['box', 'lock:report'])('has what sort of failure it is stand out, whatever is in names: %s', async (key) => {
    const { page } = await pageOf(`
      const all = new Map([['${key}', 0]])
      const add = async () => { await null; const n = all.get('${key}'); await null; all.set('${key}', n + 1) }
      await Promise.all([add(), add()])
      if (all.get('${key}') !== 2) throw new Error('lost')`)
    expect(unescaped(page)).toContain(`<h1><strong>Lost update on all.get("${key}")</strong>: add#`)
  })

  test('has all of a long story on the first screen: a box begins before the one in the lane beside it has ended', async () => {
    const lanes = [0, 1, 2].map((ordinal) => ({ ordinal, name: `task#${ordinal + 1}` }))
    const boxes = Array.from({ length: 12 }, (_, i): Box => ({ id: i, number: `${i + 1}`, lane: i % 3, lines: [`write account.balance = ${i}`], place: `account.ts:${i}`, role: 'plain', details: '', locations: [] }))
    const picture = lanesPicture({ label: 'The failing order', lanes, boxes, edges: [] })
    const tops = [...picture.matchAll(/<rect x="\d+" y="(\d+)"/g)].map(([, y]) => Number(y))
    expect(tops).toEqual(tops.toSorted((a, b) => a - b))
    expect(new Set(tops).size).toBe(12)
    expect(Number(/viewBox="0 0 \d+ (\d+)"/.exec(picture)![1])).toBeLessThan(450)
  })

  test('says what the terminal says besides', async () => {
    const { page } = await pageOf(`
      const box = { n: 0, log: 0 }
      const add = async () => { const n = box.n; await null; box.n = n + 1; await null; box.log = box.log + 1 }
      await Promise.all([add(), add()])
      if (box.n !== 2) throw new Error('lost')`)
    expect(page).toContain('<p class="dim">Execution 1 of ')
    expect(page).toMatch(/<p>Every order(?: that was tried)? fails; the test passes when its calls run one after the other\.<\/p>/)
    expect(page).toMatch(/<p class="dim">Other races in this execution: box&#46;log|<p class="dim">Other races in this execution: box\.log/)
  })

  test('has the statements of its rows, each with its isolation level', async () => {
    const { page } = await pageOf(lost, { statements: [{ number: 1, text: 'select n from box where n < $1 [1]', level: 'of its own' }, { number: 3, text: 'commit', level: 'READ COMMITTED' }] })
    const [, table] = /<table>([^]*)<\/table>/.exec(page)!
    expect([...table!.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell]) => unescaped(cell!))).toEqual(['1', 'of its own', '<code>select n from box where n < $1 [1]</code>', '3', 'READ COMMITTED', '<code>commit</code>'])
    expect(openTags(page)).toEqual([])
    expect(unescaped(page)).toContain('of its own: select n from box where n < $1 [1]')
    expect((await pageOf(lost)).page).not.toContain('Statements')
  })

  test('has what is told of a step: the place and its code', async () => {
    const { page } = await pageOf(lost)
    expect(unescaped(page)).toContain('4  write n = 1\n/executed-')
    expect(unescaped(page)).toContain('> 3  code')
  })

  test('has the whole execution, with locations for the filter', async () => {
    const { page } = await pageOf(lost)
    expect(page).toMatch(/<summary>The whole execution: \d+ steps/)
    expect(page).toContain('data-locations="box.n"')
  })

  test('is one well-formed file that asks nobody for anything', async () => {
    const { page } = await pageOf(lost)
    expect(openTags(page)).toEqual([])
    expect(page.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|src=|@import|url\(/)
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/)
  })

  test('runs nothing that a value or a name says', async () => {
    const { page } = await pageOf(
      `
      const box = { text: '' }
      const put = async (text) => { await null; box.text = text }
      await Promise.all([put('<img src=x onerror=alert(1)>'), put('"></title></script><script>alert(2)</script>')])
      if (!box.text.startsWith('<img')) return
      throw new Error('</pre><script>alert(3)</script>')`,
      { name: '<b>name</b>' },
    )
    expect(page).not.toMatch(/<img|<b>|<script>alert/)
    expect(page.match(/<script>/g)).toHaveLength(1)
    expect(openTags(page)).toEqual([])
  })

  test('of a failure that no race decides has the error and the execution', async () => {
    const { page } = await pageOf(`
      const stats = { calls: 0 }
      const count = async () => { await null; const before = stats.calls; await null; stats.calls = before + 1 }
      await Promise.all([count(), count()])
      throw new Error('boom')`)
    expect(page).not.toContain('This order fails')
    expect(page).toContain('Error: boom')
    expect(page).toContain('The whole execution')
  })
})

test('an order that was not written down is not shown as one that passes', async () => {
  const { page, explanation } = await pageOf(lost)
  expect(page).toContain('This order passes')
  const { passing: _, ...without } = explanation
  expect(renderPage({ explanation: without, said: saidOf(without), steps: [], names: [], codeAt: () => undefined })).not.toContain('This order passes')
  expect(otherOrder({ steps: [], names: [] }, { steps: [] }, { hasSameObjects: true }).accesses).toEqual([])
})
