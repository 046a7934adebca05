import * as fs from 'node:fs'
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outcomesOf, type Outcomes } from './uninstrumented/task-outcomes.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vitest-dpor-files-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const at = (name: string): string => path.join(folder, name)
const text = (name: string): string => fs.readFileSync(at(name), 'utf8')
const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code

interface Case {
  readonly folders?: readonly string[]
  readonly before?: Readonly<Record<string, string>>
  readonly tasks: readonly (() => unknown)[]
  readonly after?: () => unknown
}

function outcomes({ folders = [], before = {}, tasks, after }: Case, interleave: 'await' | 'event-loop'): Promise<Outcomes> {
  const setup = (): void => {
    rmSync(folder, { recursive: true, force: true })
    fs.mkdirSync(folder)
    for (const name of folders) fs.mkdirSync(at(name))
    for (const [name, content] of Object.entries(before)) fs.writeFileSync(at(name), content)
  }
  return outcomesOf({ setup, tasks }, { interleave, ...(after && { after }) })
}

const later = <T>(call: (callback: (error: Error | null, value?: T) => void) => void): Promise<T | undefined> =>
  new Promise((resolve, reject) => call((error, value) => (error ? reject(error) : resolve(value))))

const [read, write] = [promisify(fs.readFile), promisify(fs.writeFile)]

const addBy: Readonly<Record<string, () => Promise<void>>> = {
  promises: async () => writeFile(at('n'), String(Number(await readFile(at('n'), 'utf8')) + 1)),
  callbacks: () =>
    new Promise<void>((resolve) => {
      fs.readFile(at('n'), 'utf8', (_, found) => {
        fs.writeFile(at('n'), String(Number(found) + 1), () => resolve())
      })
    }),
  'callbacks made promises': async () => write(at('n'), String(Number(await read(at('n'), 'utf8')) + 1)),
  'synchronous calls': async () => {
    const found = Number(text('n'))
    await fs.promises.access(folder)
    fs.writeFileSync(at('n'), String(found + 1))
  },
}

describe.each(['await', 'event-loop'] as const)("interleave: '%s'", (interleave) => {
  test.each(Object.entries(addBy))('an update of a file is lost: %s', async (_name, add) => {
    const found = await outcomes({ before: { n: '0' }, tasks: [add, add], after: () => text('n') }, interleave)
    expect(found.outcomes).toEqual(['[null,null,"1"]', '[null,null,"2"]'])
  })

  test('of two writes the last one wins, whichever was asked for first', async () => {
    const both = async () => {
      const writes = ['a', 'b'].map((content) => later((done) => fs.writeFile(at('n'), content, done)))
      await Promise.all(writes)
      return text('n')
    }
    expect(await outcomes({ tasks: [both] }, interleave)).toEqual({ outcomes: ['["a"]', '["b"]'], executions: 2, verdict: 'holds' })
  })

  const conflicts: Readonly<Record<string, Case & { readonly expected: readonly string[] }>> = {
    'a file comes, and a look whether it is there': { tasks: [() => writeFile(at('a'), ''), async () => fs.existsSync(at('a'))], expected: ['[null,false]', '[null,true]'] },
    'a file comes, and a look at what the folder has': { tasks: [() => writeFile(at('a'), ''), () => readdir(folder)], expected: ['[null,["a"]]', '[null,[]]'] },
    'a file goes, and a look at what the folder has': { before: { a: '' }, tasks: [() => rm(at('a')), () => readdir(folder)], expected: ['[null,["a"]]', '[null,[]]'] },
    'a folder comes, and a file in it': { tasks: [() => mkdir(at('in')), () => writeFile(at('in/a'), '').catch(codeOf)], expected: ['[null,"ENOENT"]', '[null,null]'] },
    'folders come, one in the other': { tasks: [() => mkdir(at('in/it'), { recursive: true }).then(() => 'made'), async () => fs.existsSync(at('in'))], expected: ['["made",false]', '["made",true]'] },
    'a tree goes, and a file of it is read': { before: { a: 'x' }, tasks: [() => rm(folder, { recursive: true }), () => readFile(at('a'), 'utf8').catch(codeOf)], expected: ['[null,"ENOENT"]', '[null,"x"]'] },
    'one that is moved, and one that is written': { before: { a: 'a' }, tasks: [() => rename(at('a'), at('b')), () => writeFile(at('b'), 'b')], after: () => text('b'), expected: ['[null,null,"a"]', '[null,null,"b"]'] },
    'an empty folder goes, and a file comes into it': { folders: ['in'], tasks: [() => rmdir(at('in')).catch(codeOf), () => writeFile(at('in/a'), '').catch(codeOf)], expected: ['["ENOTEMPTY",null]', '[null,"ENOENT"]'] },
    'an empty folder goes, and another one comes into it': { folders: ['in'], tasks: [() => rmdir(at('in')).catch(codeOf), () => mkdir(at('in/it')).catch(codeOf)], expected: ['["ENOTEMPTY",null]', '[null,"ENOENT"]'] },
    'a folder goes once it is empty': { folders: ['in'], before: { 'in/a': '' }, tasks: [() => rmdir(at('in')).catch(codeOf), () => rm(at('in/a'))], expected: ['["ENOTEMPTY",null]', '[null,null]'] },
    'a folder goes once': { folders: ['in'], tasks: [() => rmdir(at('in')).catch(codeOf), () => rmdir(at('in')).catch(codeOf)], expected: ['["ENOENT",null]', '[null,"ENOENT"]'] },
    'a folder goes, and comes': { folders: ['in'], tasks: [() => rmdir(at('in')), () => mkdir(at('in')).catch(codeOf)], expected: ['[null,"EEXIST"]', '[null,null]'] },
    'a folder goes, and a look at what its folder has': { folders: ['in'], tasks: [() => rmdir(at('in')), () => readdir(folder)], expected: ['[null,["in"]]', '[null,[]]'] },
    'a path that goes another way': { before: { a: 'a' }, tasks: [() => writeFile(`${folder}/../${path.basename(folder)}/./a`, 'b'), () => readFile(at('a'), 'utf8')], expected: ['[null,"a"]', '[null,"b"]'] },
    'a path that is a URL': { before: { a: 'a' }, tasks: [() => writeFile(new URL(`file://${at('a')}`), 'b'), () => readFile(at('a'), 'utf8')], expected: ['[null,"a"]', '[null,"b"]'] },
  }
  test.each(Object.entries(conflicts))('%s', async (_name, { expected, ...subject }) => {
    expect((await outcomes(subject, interleave)).outcomes).toEqual(expected)
  })

  test.each([
    ['to its folder', () => folder, 'link/a'],
    ['to the file', () => at('a'), 'link'],
    ['beside its folder, and back', () => path.join(folder, 'in'), 'link/../a'],
  ])('a link %s', async (_name, target, way) => {
    const outside = mkdtempSync(path.join(tmpdir(), 'vitest-dpor-links-'))
    const link = path.join(outside, 'link')
    const tasks = [() => writeFile(`${outside}/${way}`, 'b'), () => readFile(at('a'), 'utf8')]
    const setup = (): void => {
      rmSync(link, { force: true })
      fs.mkdirSync(at('in'), { recursive: true })
      fs.writeFileSync(at('a'), 'a')
      fs.symlinkSync(target(), link)
    }
    const found = await outcomesOf({ setup, tasks }, { interleave })
    rmSync(outside, { recursive: true })
    expect(found.outcomes).toEqual(['[null,"a"]', '[null,"b"]'])
  })

  const independent: Readonly<Record<string, Case>> = {
    'two looks': { before: { a: 'a' }, tasks: [() => readFile(at('a'), 'utf8'), async () => fs.existsSync(at('a'))] },
    'two files of one folder': { tasks: [() => writeFile(at('a'), ''), () => writeFile(at('b'), '')] },
    'an empty folder goes, and a file beside it changes': { folders: ['in'], before: { a: 'a' }, tasks: [() => rmdir(at('in')), () => writeFile(at('a'), 'b')] },
    'one that changes, and what the folder has': { before: { a: 'a' }, tasks: [() => writeFile(at('a'), 'b'), () => readdir(folder)] },
  }
  test.each(Object.entries(independent))('%s: one execution', async (_name, subject) => {
    expect((await outcomes(subject, interleave)).executions).toBe(1)
  })

  test('what is written is what was given, whatever becomes of it', async () => {
    const give = async () => {
      const bytes = Buffer.from('a')
      const written = later((done) => fs.writeFile(at('a'), bytes, done))
      bytes[0] = 98
      await written
      return text('a')
    }
    expect((await outcomes({ tasks: [give] }, interleave)).outcomes).toEqual(['["a"]'])
  })

  test('errors are those of the platform', async () => {
    const codes = async () => [
      await readFile(at('no')).catch(codeOf),
      await later((done) => fs.readFile(at('no'), done)).catch(codeOf),
      await readFile(null as never).catch(codeOf),
      await Promise.resolve().then(() => fs.readFile(at('no'), 'utf8', undefined as never)).catch(codeOf),
    ]
    expect((await outcomes({ tasks: [codes] }, interleave)).outcomes).toEqual(['[["ENOENT","ENOENT","ERR_INVALID_ARG_TYPE","ERR_INVALID_ARG_TYPE"]]'])
  })

  test('a loop waits for a file', async () => {
    const wait = async () => {
      while (!fs.existsSync(at('a'))) await new Promise((resolve) => setTimeout(resolve, 10))
      return text('a')
    }
    expect((await outcomes({ tasks: [wait, () => writeFile(at('a'), 'x')] }, interleave)).outcomes).toEqual(['["x",null]'])
  })
})
