import * as fs from 'node:fs'
import { mkdtempSync, rmSync } from 'node:fs'
import { open, opendir, readFile, rename, stat, writeFile, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import readline from 'node:readline'
import { text as textOfStream } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outcomesOf, type Outcomes } from './uninstrumented/task-outcomes.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vitest-dpor-open-files-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const at = (name: string): string => path.join(folder, name)
const text = (name: string): string => fs.readFileSync(at(name), 'utf8')
const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code

type Task = () => unknown

/** What comes of two tasks, with what is in the file `n` afterwards. */
function outcomes(tasks: readonly Task[], interleave: 'await' | 'event-loop', before: Readonly<Record<string, string>> = { n: '0' }, after: Task = () => text('n')): Promise<Outcomes> {
  const setup = (): void => {
    rmSync(folder, { recursive: true, force: true })
    fs.mkdirSync(folder)
    for (const [name, content] of Object.entries(before)) fs.writeFileSync(at(name), content)
  }
  return outcomesOf({ setup, tasks }, { interleave, after })
}

async function withHandle<T>(flags: string, work: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(at('n'), flags)
  try {
    return await work(handle)
  } finally {
    await handle.close()
  }
}

const opening = promisify(fs.open)
const reading = promisify(fs.read) as unknown as (fd: number, buffer: Buffer, offset: number, length: number, position: number) => Promise<{ bytesRead: number; buffer: Buffer }>
const writing = promisify(fs.write) as unknown as (fd: number, data: string, position: number) => Promise<{ bytesWritten: number; buffer: string }>
const closing = promisify(fs.close)

/** Ways to add one to the number in a file. */
const addBy: Readonly<Record<string, () => Promise<void>>> = {
  descriptors: () =>
    new Promise<void>((resolve) => {
      fs.open(at('n'), 'r+', (_, fd) => {
        fs.read(fd, Buffer.alloc(1), 0, 1, 0, (__, count, buffer) => {
          fs.write(fd, String(Number(buffer.toString('utf8', 0, count)) + 1), 0, 'utf8', () => fs.close(fd, () => resolve()))
        })
      })
    }),
  'descriptors, made promises': async () => {
    const fd = await opening(at('n'), 'r+')
    const { buffer } = await reading(fd, Buffer.alloc(1), 0, 1, 0)
    await writing(fd, String(Number(buffer.toString()) + 1), 0)
    await closing(fd)
  },
  'synchronous calls': async () => {
    const fd = fs.openSync(at('n'), 'r+')
    const buffer = Buffer.alloc(1)
    fs.readSync(fd, buffer, 0, 1, 0)
    await fs.promises.access(folder)
    fs.writeSync(fd, String(Number(buffer.toString()) + 1), 0)
    fs.closeSync(fd)
  },
  handles: () => withHandle('r+', async (handle) => void (await handle.write(String(Number(await handle.readFile('utf8')) + 1), 0))),
  'handles and buffers': () =>
    withHandle('r+', async (handle) => {
      const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, 0)
      await handle.writev([Buffer.from(String(Number(buffer.toString()) + 1))], 0)
    }),
  streams: async () => {
    const found = await textOfStream(fs.createReadStream(at('n')))
    await new Promise((resolve) => fs.createWriteStream(at('n')).end(String(Number(found) + 1), () => resolve(undefined)))
  },
}

describe.each(['await', 'event-loop'] as const)("interleave: '%s'", (interleave) => {
  test.each(Object.entries(addBy))('an update of a file is lost: %s', async (_name, add) => {
    const found = await outcomes([add, add], interleave)
    expect(found.outcomes).toContain('[null,null,"1"]')
    expect(found.outcomes).toContain('[null,null,"2"]')
  })

  const conflicts: Readonly<Record<string, { readonly before?: Readonly<Record<string, string>>; readonly tasks: readonly Task[]; readonly after?: Task; readonly expected: readonly string[] }>> = {
    'writes that go on where the last one ended': { tasks: [() => withHandle('w', async (handle) => void (await Promise.all([handle.write('a'), handle.write('b')])))], expected: ['[null,"ab"]', '[null,"ba"]'] },
    'what is added at the end': { before: { n: '' }, tasks: ['a', 'b'].map((data) => () => withHandle('a', (handle) => handle.appendFile(data))), expected: ['[null,null,"ab"]', '[null,null,"ba"]'] },
    'a file that is opened to be written is empty': { tasks: [() => withHandle('w', async (handle) => void (await handle.write('1'))), () => readFile(at('n'), 'utf8')], expected: ['[null,"","1"]', '[null,"0","1"]', '[null,"1","1"]'] },
    'a file that comes when it is opened': { before: {}, tasks: [() => withHandle('a', async () => {}), async () => fs.existsSync(at('n'))], expected: ['[null,false,""]', '[null,true,""]'] },
    'one that is open, and gets another name': { before: { n: '0', other: 'x' }, tasks: [async () => {
      const fd = fs.openSync(at('other'), 'r+')
      await rename(at('other'), at('n'))
      fs.writeSync(fd, '1', 0)
      fs.closeSync(fd)
    }, () => readFile(at('n'), 'utf8')], expected: interleave === 'await' ? ['[null,"0","1"]', '[null,"1","1"]', '[null,"x","1"]'] : ['[null,"0","1"]', '[null,"1","1"]'] },
    'one that is cut, and its length': { tasks: [() => withHandle('r+', (handle) => handle.truncate(5)), async () => fs.statSync(at('n')).size], expected: ['[null,1,"0\\u0000\\u0000\\u0000\\u0000"]', '[null,5,"0\\u0000\\u0000\\u0000\\u0000"]'] },
    'one descriptor, used and closed': {
      tasks: [async () => {
        const fd = fs.openSync(at('n'), 'r')
        const used = Promise.resolve().then(() => fs.fstatSync(fd).size).catch(codeOf)
        await Promise.all([used, Promise.resolve().then(() => fs.closeSync(fd))])
        return used
      }],
      expected: interleave === 'await' ? ['["EBADF","0"]', '[1,"0"]'] : ['[1,"0"]'],
    },
    'a folder that is read, and a file that comes': { before: {}, tasks: [async () => {
      const names: string[] = []
      for await (const { name } of await opendir(folder)) names.push(name)
      return names
    }, () => writeFile(at('n'), '')], expected: ['[["n"],null,""]', '[[],null,""]'] },
    'a stream that reads, and a write': { tasks: [() => textOfStream(fs.createReadStream(at('n'))), () => writeFile(at('n'), '1')], expected: ['["0",null,"1"]', '["1",null,"1"]'] },
    'two streams that write': { tasks: ['a', 'b'].map((data) => () => new Promise((resolve) => new fs.WriteStream(at('n') as never).end(data, () => resolve(undefined)))), expected: ['[null,null,"a"]', '[null,null,"b"]'] },
  }
  test.each(Object.entries(conflicts))('%s', async (_name, { tasks, before, after, expected }) => {
    expect((await outcomes(tasks, interleave, before, after)).outcomes).toEqual(expected)
  })

  test('files of their own: one execution', async () => {
    const write = (name: string) => async () => {
      const handle = await open(at(name), 'w')
      await handle.write(name)
      await handle.close()
    }
    expect((await outcomes([write('a'), write('b')], interleave, {}, () => 0)).executions).toBe(1)
  })

  /** What comes back, as it does outside an exploration. */
  const results: Readonly<Record<string, () => Promise<unknown>>> = {
    'callbacks get counts and data': () =>
      new Promise((resolve) => {
        const fd = fs.openSync(at('n'), 'w+')
        const found: unknown[] = []
        fs.write(fd, new Uint8Array([97, 98, 99]), 1, 2, null, (...written: unknown[]) => {
          fs.read(fd, Buffer.alloc(4), 0, 4, 0, (...read) => {
            fs.fstat(fd, (_, { size }) => {
              found.push(written, read, size)
              fs.close(fd, (...closed) => resolve([...found, closed]))
            })
          })
        })
      }),
    'promises of handles': () =>
      withHandle('w+', async (handle) => [
        await handle.write('text'), await handle.write(Buffer.from('more'), 1, 2), await handle.read({ buffer: Buffer.alloc(3), position: 1 }), (await handle.read({ position: 0 })).bytesRead,
        await handle.readv([Buffer.alloc(2), Buffer.alloc(2)], 0), (await handle.stat()).size, await handle.sync(), await handle.truncate(1), await handle.readFile('utf8'), await handle.writeFile('end'),
      ]),
    'handles that are closed': async () => {
      const handle = await open(at('n'))
      const { fd } = handle
      const pending = handle.readFile('utf8')
      const closed = handle.close()
      return [fd > 2, await pending, await closed, handle.fd, await handle.stat().catch(codeOf), await handle.close().catch(codeOf)]
    },
    'errors': async () => [
      await open(at('no')).catch(codeOf), await opening(at('no'), 'r').catch(codeOf), await open(null as never).catch(codeOf),
      await new Promise((resolve) => fs.createReadStream(at('no')).on('error', (error) => resolve(codeOf(error)))),
      await withHandle('r', (handle) => handle.write('x').catch(codeOf)), await withHandle('r', (handle) => handle.read(Buffer.alloc(1), 3, 9, 0).catch(codeOf)),
    ],
    'a stream that is written to': async () => {
      const written = fs.createWriteStream(at('n'), { flags: 'a' })
      for (const part of ['\none', '\ntwo']) written.write(part)
      await new Promise<void>((resolve) => written.end(() => resolve()))
      return [text('n'), written.bytesWritten]
    },
    'lines of a stream': async () => {
      const lines: string[] = []
      for await (const line of readline.createInterface({ input: fs.createReadStream(at('n')) })) lines.push(line)
      return lines
    },
    'parts of a stream': async () => {
      const parts: unknown[] = []
      for await (const part of fs.createReadStream(at('n'), { encoding: 'utf8', start: 0, end: 6, highWaterMark: 1 })) parts.push(part)
      return parts
    },
    'one stream that flows into another': async () => {
      fs.writeFileSync(at('copy'), '')
      await pipeline(fs.createReadStream(at('n')), fs.createWriteStream(at('copy')))
      return text('copy')
    },
  }
  test.each(Object.entries(results))('%s', async (_name, task) => {
    fs.mkdirSync(folder, { recursive: true })
    fs.writeFileSync(at('n'), '0')
    const plain = JSON.stringify([await task()])
    expect((await outcomes([task], interleave)).outcomes).toContain(`${plain.slice(0, -1)},${JSON.stringify(text('n'))}]`)
  })

  test('large files that flow from one into another are explored to the end', async () => {
    fs.mkdirSync(folder, { recursive: true })
    const { outcomes: found, verdict } = await outcomes([
      async () => {
        await writeFile(at('n'), 'x'.repeat(100_000))
        await pipeline(fs.createReadStream(at('n')), fs.createWriteStream(at('copy')))
        return (await stat(at('copy'))).size
      },
    ], interleave, { n: '0' }, () => text('n').length)
    expect(verdict).toBe('holds')
    expect(found).toEqual(['[100000,100000]'])
  })

  test('what a body leaves open is closed', async () => {
    const next = (): number => {
      const fd = fs.openSync(at('n'), 'r')
      fs.closeSync(fd)
      return fd
    }
    fs.mkdirSync(folder, { recursive: true })
    fs.writeFileSync(at('n'), '0')
    const before = next()
    await outcomes([() => opening(at('n'), 'r+').then((fd) => writing(fd, '1', 0)).then(() => undefined), () => writeFile(at('n'), '2')], interleave)
    expect(next()).toBe(before)
  })
})
