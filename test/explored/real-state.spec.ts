import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process'
import * as fs from 'node:fs'
import { appendFile, mkdir, mkdtemp, open, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import http from 'node:http'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { explore } from 'vitest-dpor'
import { inAnotherProcess } from './uninstrumented/in-another-process.ts'
import { outcomes } from './uninstrumented/outcomes.ts'

/** Makes a file by another process, which nobody sees. */
const touch = (file: string): void => void execFileSync('touch', [file])

describe('what is outside and not put back', () => {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'vitest-dpor-state-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  test.each(['await', 'event-loop'] as const)('leads to no verdict where the body does something else for it, switches at %s', async (interleave) => {
    const { verdict, failures, inconclusiveReason } = await explore(
      async () => {
        const names = await readdir(folder)
        if (names.length === 0) {
          touch(path.join(folder, 'a'))
          await readdir(folder)
        }
      },
      { interleave },
    )
    expect({ verdict, failures }).toEqual({ verdict: 'inconclusive', failures: [] })
    expect(inconclusiveReason).toMatch(/^what the body does outside was not the same another time, at .*real-state\.spec\.ts:\d+:\d+ .*reset them at the start of the body$/)
  })

  test.each(['await', 'event-loop'] as const)('nor where there are other orders to explore, switches at %s', async (interleave) => {
    const { verdict, inconclusiveReason } = await explore(
      async () => {
        const names = await readdir(folder)
        if (names.length === 0) touch(path.join(folder, 'a'))
        const log: number[] = []
        await Promise.all([1, 2].map(async (n) => log.push((await readdir(folder)).length + n)))
        expect(log).toHaveLength(2)
        return String(log)
      },
      { interleave, equivalence: 'trace' },
    )
    expect(verdict).toBe('inconclusive')
    expect(inconclusiveReason).toMatch(/^what the body does outside was not the same another time, at .*real-state\.spec\.ts:\d+:\d+ .*reset them at the start of the body$/)
  })

  test.each(['await', 'event-loop'] as const)('is no matter to a body that resets it, switches at %s', async (interleave) => {
    const { verdict } = await explore(
      async () => {
        await rm(path.join(folder, 'a'), { force: true })
        const names = await readdir(folder)
        if (names.length === 0) touch(path.join(folder, 'a'))
      },
      { interleave },
    )
    expect(verdict).toBe('holds')
  })

  test('a failure that comes and goes with it is an error in the plain run', async () => {
    await expect(
      explore(async () => {
        const names = await readdir(folder)
        touch(path.join(folder, 'a'))
        if (names.length === 0) throw new Error('nothing there')
      }),
    ).rejects.toThrow('a schedule that failed (error) passed when it was replayed')
  })

  test('and leads to no verdict in another order', async () => {
    const { verdict, failures, inconclusiveReason } = await explore(async () => {
      const log: string[] = []
      await Promise.all(['a', 'b'].map(async (name) => {
        await readdir(folder)
        log.push(name)
      }))
      if (log[0] !== 'b') return
      const names = await readdir(folder)
      touch(path.join(folder, 'a'))
      if (names.length === 0) throw new Error('nothing there')
    })
    expect({ verdict, failures }).toEqual({ verdict: 'inconclusive', failures: [] })
    expect(inconclusiveReason).toContain('a schedule that failed (error) passed when it was replayed')
  })
})

describe('orders that are not run, as nobody knows what an answer is due to', () => {
  const { createServer, get } = http
  const twoRequests = async (): Promise<void> => {
    const server = createServer((_, response) => void response.end())
    await new Promise<void>((done) => void server.listen(0, () => done()))
    const { port } = server.address() as { port: number }
    const request = () => new Promise((done) => get({ port, agent: false }, (response) => response.resume().on('end', done)))
    await Promise.all([request(), request()])
    await new Promise((done) => server.close(done))
  }
  const twoFiles = () => Promise.all(['a', 'b'].map((text) => writeFile(path.join(tmpdir(), `vitest-dpor-${process.pid}`), text)))

  test('are said where several calls have asked', async () => {
    expect((await explore(twoRequests, { interleave: 'event-loop', maxExecutions: 20 })).mergesCauses).toBe(true)
    expect((await explore(twoFiles, { interleave: 'event-loop' })).mergesCauses).toBe(false)
  })
})

describe('files', () => {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'vitest-dpor-files-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  /** All that is in a folder. */
  const contentOf = (at: string): Record<string, unknown> =>
    Object.fromEntries(
      fs.readdirSync(at).map((name) => {
        const file = path.join(at, name)
        const stats = fs.lstatSync(file)
        return [name, stats.isDirectory() ? contentOf(file) : stats.isSymbolicLink() ? fs.readlinkSync(file) : [fs.readFileSync(file, 'utf8'), stats.mode, Math.round(stats.mtimeMs)]]
      }),
    )

  const changes: Readonly<Record<string, (at: (name: string) => string) => Promise<unknown>>> = {
    'one that is written': (at) => writeFile(at('a'), 'other'),
    'one that grows, and is read': async (at) => {
      await appendFile(at('a'), 'more')
      fs.readFileSync(at('a'))
    },
    'one that comes': (at) => writeFile(at('new'), ''),
    'one that goes': (at) => rm(at('a')),
    'one that moves': (at) => rename(at('a'), at('tree/b')),
    'one that is written by a handle': async (at) => {
      const handle = await open(at('a'), 'r+')
      await handle.write('x')
      await handle.close()
    },
    'one that is written by a stream': (at) => new Promise((resolve) => fs.createWriteStream(at('new')).end('x', () => resolve(undefined))),
    'folders that come': (at) => mkdir(at('deep/er'), { recursive: true }),
    'a tree that goes': (at) => rm(at('tree'), { recursive: true }),
    'a tree that moves': (at) => rename(at('tree'), at('wood')),
    'a link': async (at) => {
      await rm(at('link'))
      await symlink('tree', at('link'))
    },
    'a mode': async (at) => fs.chmodSync(at('a'), 0o600),
    'one after the other': async (at) => {
      await writeFile(at('tree/b'), 'changed')
      await writeFile(at('tree/c'), 'new')
      await rename(at('tree'), at('wood'))
      await rm(at('wood'), { recursive: true })
      await writeFile(at('tree'), 'no folder any more')
    },
  }
  test.each(Object.entries(changes))('are put back: %s', async (_name, change) => {
    const at = (name: string): string => path.join(folder, name)
    fs.mkdirSync(at('tree/inner'), { recursive: true })
    for (const [name, text] of Object.entries({ a: 'a', 'tree/b': 'b', 'tree/inner/c': 'c' })) fs.writeFileSync(at(name), text)
    fs.symlinkSync('a', at('link'))
    const before = contentOf(folder)
    const n = { seen: 0 }
    const { verdict, executions } = await explore(async () => {
      await Promise.all([change(at), (async () => (await null, (n.seen += 1)))(), (async () => (await null, (n.seen *= 2)))()])
      return n.seen
    }, { equivalence: 'trace' })
    expect({ verdict, isExplored: executions > 1 }).toEqual({ verdict: 'holds', isExplored: true })
    expect(contentOf(folder)).toEqual(before)
  })
})

test('a log that nobody reads has lines of all executions', async () => {
  const log = path.join(tmpdir(), `vitest-dpor-log-${process.pid}`)
  const n = { seen: 0 }
  const { executions } = await explore(async () => {
    fs.appendFileSync(log, 'x')
    await Promise.all([1, 2].map(async (by) => (await null, (n.seen = n.seen * 2 + by))))
  }, { equivalence: 'trace' })
  const lines = fs.readFileSync(log, 'utf8')
  fs.rmSync(log)
  expect(executions).toBeGreaterThan(1)
  expect(lines.length).toBeGreaterThanOrEqual(executions)
})

test.each([['the first', 'await'], ['the second', 'await'], ['the first', 'event-loop'], ['the second', 'event-loop']] as const)('a file that is only read if it was %s of two that came first is no log, switches at %s', async (which, interleave) => {
  const log = path.join(tmpdir(), `vitest-dpor-log-${process.pid}`)
  const { verdict, failures } = await explore(
    async () => {
      const first: string[] = []
      fs.appendFileSync(log, 'x')
      await Promise.all(['the first', 'the second'].map(async (by) => (await null, first.push(by))))
      if (first[0] === which) expect(fs.readFileSync(log, 'utf8')).toBe('x')
    },
    { interleave },
  )
  const isLeft = fs.existsSync(log)
  fs.rmSync(log, { force: true })
  expect({ verdict, failures, isLeft }).toEqual({ verdict: 'holds', failures: [], isLeft: false })
})

describe('modules that a body loads', () => {
  test.each(['await', 'event-loop'] as const)('are waited for, however deep, switches at %s', async (interleave) => {
    const load = () => import('node:readline')
    const library = async () => (await load()).createInterface
    const other = () => import('./instrumented/counter.ts')
    const { verdict, failures } = await explore(
      async () => {
        const [made, counter] = await Promise.all([library(), other().then(Object.keys)])
        expect([typeof made, counter.length > 0]).toEqual(['function', true])
      },
      { interleave },
    )
    expect({ verdict, failures }).toEqual({ verdict: 'holds', failures: [] })
  })

  test.each(['await', 'event-loop'] as const)('also by the test runner, switches at %s', async (interleave) => {
    const { verdict, failures } = await explore(
      async () => {
        const actual = await vi.importActual<object>('./instrumented/counter.ts')
        expect(Object.keys(actual)).toContain('count')
      },
      { interleave },
    )
    expect({ verdict, failures }).toEqual({ verdict: 'holds', failures: [] })
  })
})

test.each(['await', 'event-loop'] as const)('how deep calls can go is not the same each time: where a body finds out, nothing is said of all orders, switches at %s', async (interleave) => {
  const counts = { depth: 0 }
  const deeper = (): number => {
    counts.depth++
    try {
      return deeper()
    } catch {
      return counts.depth
    }
  }
  const { verdict, inconclusiveReason } = await explore(async () => {
    counts.depth = 0
    const list = Array.from({ length: deeper() }, (_, i) => ({ i }))
    await null
    expect(list.length).toBeGreaterThan(0)
  }, { interleave })
  expect({ verdict, inconclusiveReason }).toEqual({ verdict: 'inconclusive', inconclusiveReason: expect.stringContaining('its calls go too deep') })
})

test('the same is said where nothing else could have come, of calls that share what they count', async () => {
  const deeper = (): number => deeper() + 1
  const state = { calls: 0, caught: 0 }
  const call = async (): Promise<void> => {
    state.calls++
    await new Promise((done) => setTimeout(done, 10))
    state.calls++
    try {
      deeper()
    } catch {
      state.caught++
    }
  }
  const { verdict, inconclusiveReason } = await explore(async () => {
    state.caught = 0
    await Promise.all([call(), call()])
    expect(state.caught).toBe(2)
  }, { interleave: 'event-loop' })
  expect({ verdict, inconclusiveReason }).toEqual({ verdict: 'inconclusive', inconclusiveReason: expect.stringContaining('its calls go too deep') })
})

test.each(['await', 'event-loop'] as const)('async calls that go too deep fail as in a plain run, switches at %s', async (interleave) => {
  const counts = { depth: 0 }
  const deeper = async (): Promise<void> => {
    counts.depth++
    return deeper()
  }
  const { verdict, failures } = await explore(deeper, { interleave })
  expect({ verdict, error: failures[0]?.error }).toEqual({ verdict: 'fails', error: expect.objectContaining({ message: 'Maximum call stack size exceeded' }) })
})

const older: { n: number }[] = [{ n: 0 }]

test.each(['await', 'event-loop'] as const)('a process of the body is waited for, though one from before ends meanwhile, switches at %s', async (interleave) => {
  const lasting = (milliseconds: number): ChildProcess => spawn(process.execPath, ['-e', `setTimeout(() => {}, ${milliseconds})`])
  lasting(400)
  const result = await outcomes(() => new Promise((resolve) => lasting(900).on('exit', resolve)), { interleave })
  expect(result).toEqual({ verdict: 'holds', executions: 1, seen: ['0'] })
})

describe('a server in another process that takes its time', () => {
  const source = `require('node:http').createServer((_request, response) => setTimeout(() => response.end('ok'), 1300)).listen(0, function () { process.stdout.write(String(this.address().port)) })`
  const other = inAnotherProcess(source)

  test.each(['await', 'event-loop'] as const)('is waited for: that nothing else goes on is no deadlock, switches at %s', async (interleave) => {
    const answer = (): Promise<unknown> => new Promise((resolve) => http.get({ port: other.port, agent: false }, (response) => resolve(response.destroy().statusCode)))
    const { verdict, seen } = await outcomes(answer, { interleave })
    expect(seen).toEqual(['200'])
    expect(verdict).not.toBe('fails')
  })
})

describe('a connection to another process', () => {
  const source = `require('node:net').createServer((socket) => socket.on('data', (data) => { if (String(data) === 'ask') setTimeout(() => socket.write('ok'), 900) })).listen(0, function () { process.stdout.write(String(this.address().port)) })`
  const other = inAnotherProcess(source)

  const guarded = async (said: string, most: number): Promise<unknown> => {
    const socket = net.connect(other.port)
    await new Promise((resolve) => socket.once('connect', resolve))
    socket.write(said)
    const first = await Promise.race([new Promise((resolve) => socket.once('data', (data) => resolve(String(data)))), new Promise((resolve) => { setTimeout(resolve, most, 'late') })])
    socket.destroy()
    return first
  }

  test.each([['ask', 1500, 'ok'], ['ask', 600, 'late'], ['tell', 1000, 'late']] as const)('that is sent "%s" has as long for its answer as a timer of %i ms takes', async (said, most, first) => {
    const { seen, verdict } = await outcomes(() => guarded(said, most), { interleave: 'event-loop', maxExecutions: 3 })
    expect(seen).toEqual([JSON.stringify(first)])
    expect(verdict).not.toBe('fails')
  })
})

test('a list that a timer from before the exploration empties meanwhile has no holes', async () => {
  const emptied = new Promise<void>((resolve) => {
    setTimeout(() => {
      older.length = 0
      resolve()
    }, 20)
  })
  await explore(async () => {
    older.push({ n: 1 })
    await promisify(execFile)('sleep', ['0.1'])
  }, { maxExecutions: 1 })
  await emptied
  expect(Object.keys(older)).toHaveLength(older.length)
})

test('a timer from before the exploration that a body sets off anew stays where Node has it', async () => {
  // What explores is loaded, which takes longer than the timer where the machine is busy.
  await explore(async () => {})
  let fired = 0
  const timer = setTimeout(() => void fired++, 1_000)
  const again = async (): Promise<void> => {
    await null
    timer.refresh()
  }
  const { verdict } = await explore(async () => void (await Promise.all([again(), again()])))
  await promisify(setTimeout)(1_300)
  expect({ verdict, fired }).toEqual({ verdict: 'holds', fired: 1 })
})

test.each(['await', 'event-loop'] as const)("what a file is watched for by time is not explored, by '%s'", async (interleave) => {
  const { verdict, failures, inconclusiveReason } = await explore(async () => {
    await null
    await new Promise((changed) => fs.watchFile(path.join(tmpdir(), 'watched'), changed))
  }, { interleave })
  expect({ verdict, failures, inconclusiveReason }).toEqual({
    verdict: 'inconclusive',
    failures: [],
    inconclusiveReason: 'the body calls fs.watchFile, which looks at the file by a clock that is real: put a fake in its place',
  })
})
