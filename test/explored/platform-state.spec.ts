import { Resolver } from 'node:dns'
import { inspect, MIMEType } from 'node:util'
import { describe, expect, test } from 'vitest'
import { outcomes } from './uninstrumented/outcomes.ts'

/** Two tasks that share something which no property shows: what one finds depends on whether the other was first. */
async function seenBy(one: () => unknown, other: () => unknown): Promise<unknown> {
  let found: unknown
  const look = async () => {
    await null
    found = other()
  }
  const change = async () => {
    await null
    one()
  }
  await Promise.all([change(), look()])
  return found
}

describe('state that the platform keeps is seen', () => {
  const bodies: Record<string, () => Promise<unknown>> = {
    'a buffer that is sent to a port': () => {
      const bytes = new Uint8Array(8)
      const { port1 } = new MessageChannel()
      return seenBy(() => (port1.postMessage(bytes, [bytes.buffer]), port1.close()), () => bytes.length)
    },
    'a buffer that a stream is given': () => {
      const bytes = new Uint8Array(4)
      let controller!: ReadableByteStreamController
      void new ReadableStream({ type: 'bytes', start: (given) => void (controller = given) })
      return seenBy(() => controller.enqueue(bytes), () => bytes.length)
    },
    'a buffer that a stream is to fill': () => {
      const bytes = new Uint8Array(4)
      const reader = new ReadableStream({ type: 'bytes' }).getReader({ mode: 'byob' })
      return seenBy(() => void reader.read(bytes).catch(() => {}), () => bytes.length)
    },
    'the bytes of a memory that grows': () => {
      const { Memory } = Reflect.get(globalThis, 'WebAssembly') as { Memory: new (size: { initial: number }) => { buffer: ArrayBuffer; grow(pages: number): number } }
      const memory = new Memory({ initial: 1 })
      const bytes = new Uint8Array(memory.buffer)
      return seenBy(() => memory.grow(1), () => bytes.length)
    },
    'whether Node stays for a timer': async () => {
      const timer = setTimeout(() => {}, 5)
      const found = await seenBy(() => timer.unref(), () => timer.hasRef())
      clearTimeout(timer)
      return found
    },
    'how deep objects are shown': () => seenBy(() => void (inspect.defaultOptions.depth = 0), () => inspect({ a: { b: { c: 1 } } })),
    'how objects are shown': () => seenBy(() => void (inspect.defaultOptions = { depth: 0 }), () => inspect({ a: { b: { c: 1 } } })),
    'how many lines a stack has': () => seenBy(() => void (Error.stackTraceLimit = 1), () => new Error('no').stack!.split('\n').length),
    'the parameters of a media type': () => {
      const media = new MIMEType('a/b;c=d')
      return seenBy(() => media.params.set('c', 'e'), () => String(media))
    },
    'the servers that names are asked of': () => {
      const resolver = new Resolver()
      return seenBy(() => resolver.setServers(['127.0.0.1']), () => resolver.getServers().join() === '127.0.0.1')
    },
  }
  test.each(Object.entries(bodies))('%s', async (_, body) => {
    const { seen, executions } = await outcomes(body)
    expect({ seen: seen.length, executions }).toEqual({ seen: 2, executions: 2 })
  })

  test('and put back', async () => {
    const media = new MIMEType('a/b;c=d')
    const { depth } = inspect.defaultOptions
    const limit = Error.stackTraceLimit
    await outcomes(() =>
      seenBy(() => {
        media.params.set('c', 'e')
        media.params.set('f', 'g')
        media.subtype = 'h'
        inspect.defaultOptions = { depth: 0 }
        Error.stackTraceLimit = 1
      }, () => String(media)),
    )
    expect([String(media), inspect.defaultOptions.depth, Error.stackTraceLimit]).toEqual(['a/b;c=d', depth, limit])
  })

  test('headers that nobody may change', async () => {
    const { seen, verdict } = await outcomes(async () => {
      const { headers } = Response.redirect('http://localhost/elsewhere', 301)
      const change = async (): Promise<string> => {
        await null
        try {
          headers.set('location', 'nowhere')
          return 'changed'
        } catch {
          return headers.get('location')!
        }
      }
      return await Promise.all([change(), change()])
    })
    expect([seen, verdict]).toEqual([['["http://localhost/elsewhere","http://localhost/elsewhere"]'], 'holds'])
  })

  // Vitest's tools put a function of their own in the place of `process.emit`.
  test('who listens to the process', async () => {
    const { seen } = await outcomes(async () => {
      const log: string[] = []
      const listener = () => log.push('heard')
      const listen = async () => {
        await null
        process.on('mine', listener)
      }
      const emit = async () => {
        await null
        process.emit('mine' as 'beforeExit', 0)
      }
      await Promise.all([listen(), emit()])
      process.off('mine', listener)
      return log.join()
    })
    expect(seen).toEqual(['""', '"heard"'])
  })
})
