import { expect, test } from 'vitest'
import { assertedIn } from '../../src/report/asserted.ts'
import { investigated, madeOf } from './executed.ts'

/** It keeps an account of its own with everything that is shown. */
const page = `return class Page {
    effort = 0
    rendered = undefined
    async show(text) {
      await null
      this.effort = text.length
      this.rendered = { children: [text] }
    }
  }`

const headlineOf = async (expected: string): Promise<string> => {
  const Page = madeOf(page, '/app/node_modules/page/index.cjs')
  const { explanation } = await investigated(`
    const page = new Page()
    const search = async (text) => { await page.show('found ' + text) }
    await Promise.all([search('a'), search('abc')])
    const [actual] = page.rendered.children
    if (page.effort < 0 || actual !== 'found abc') throw Object.assign(new Error(actual), { actual: [actual], expected: [${expected}] })`, { given: { Page } })
  return explanation.headline
}

test('of what comes in another order that is told which the failing assertion shows', async () => {
  expect(await headlineOf("'found abc'")).toMatch(/^Last write wins on page\.rendered: search#1 wrote \{"children":\["found a"\]\} over the \{"children":\["found abc"\]\} of search#2\./)
})

test('and what it expects has to be there as well', async () => {
  expect(await headlineOf("'something else'")).toMatch(/^Last write wins on page\.effort: /)
})

test('texts are compared as a whole, and only those in which the two differ', () => {
  expect(assertedIn({ actual: { kind: 'row', text: 'old' }, expected: { kind: 'row', text: 'older' } })).toEqual({ found: ['"old"'], missed: ['"older"'], turned: [] })
  expect(assertedIn({ actual: 1, expected: 2 })).toEqual({ found: [], missed: [], turned: [] })
  expect(assertedIn(undefined)).toEqual({ found: [], missed: [], turned: [] })
})

test('of texts that are in both those are known of which the one comes before the other', () => {
  expect(assertedIn({ actual: ['open', 'close', 'write'], expected: ['open', 'write', 'close'] }).turned).toEqual([['"close"', '"write"']])
  expect(assertedIn({ actual: ['close', 'write', 'close'], expected: ['close', 'close', 'write'] }).turned).toEqual([])
})

test('of what Vitest has printed the texts are those that stand in it', () => {
  const printed = { actual: 'Page {\n  "title": "Shop",\n  "items": [\n    "bread \\"new\\"",\n  ],\n}', expected: 'Page {\n  "title": "Shop",\n  "items": [\n    "bread",\n    "milk",\n    "a",\n  ],\n}' }
  expect(assertedIn(printed)).toEqual({ found: ['"bread \\"new\\""'], missed: ['"bread"', '"milk"'], turned: [] })
  expect(assertedIn({ actual: '[old]', expected: '[new]' })).toEqual({ found: ['"[old]"'], missed: ['"[new]"'], turned: [] })
})

test('no code of the user is run for that', () => {
  expect(assertedIn({ actual: { get text() { throw new Error('asked') } }, expected: 'none' })).toEqual({ found: [], missed: ['"none"'], turned: [] })
})

/** It puts errors there only if they are not the ones that are there, and says besides whether there are any. */
const form = `return class Form {
    errors = {}
    valid = true
    async validate(check) {
      const error = await check()
      const errors = error === undefined ? {} : { name: error }
      if (Object.keys(this.errors).length !== Object.keys(errors).length) this.errors = errors
      this.valid = Object.keys(this.errors).length === 0
    }
  }`

const headlineOfForm = async (actual: string): Promise<string> => {
  const Form = madeOf(form, '/app/node_modules/form/index.cjs')
  const { explanation } = await investigated(`
    const form = new Form()
    const check = async (name) => { await null; return name === 'ann' ? 'taken' : undefined }
    await Promise.all([form.validate(() => check('ann')), form.validate(() => check('bea'))])
    if (!form.valid) throw Object.assign(new Error('invalid'), { actual: ${actual}, expected: undefined })`, { given: { Form } })
  return explanation.headline
}

test('what is found though nothing is expected is told where another one has found nothing of it, and not by a flag that follows from it', async () => {
  expect(await headlineOfForm('form.errors.name')).toMatch(/^Last write wins on form\.errors: validate#1 wrote \{"name":"taken"\} over the \{\} that validate#2 had left there\./)
})

test('not where the assertion has found something else', async () => {
  expect(await headlineOfForm("'false'")).toMatch(/^Last write wins on form\.valid: validate#1 wrote false over the true of validate#2\./)
})
