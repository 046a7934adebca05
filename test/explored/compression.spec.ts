import zlib from 'node:zlib'
import { expect, test } from 'vitest'
import { explore } from 'vitest-dpor'

const both = ['event-loop', 'await'] as const
const makers: Readonly<Record<string, () => zlib.DeflateRaw>> = {
  'createDeflateRaw()': () => zlib.createDeflateRaw(),
  'new DeflateRaw()': () => new (zlib as unknown as { readonly DeflateRaw: new () => zlib.DeflateRaw }).DeflateRaw(),
}

/** Takes the thread some turns of the event loop. */
const much = Buffer.alloc(1_000_000, 'what is to be compressed ')

for (const interleave of both) {
  test.each(Object.keys(makers))(`what %s has in a thread is waited for, and comes before the answer to flush(), by '${interleave}'`, async (maker) => {
    const found = await explore(async () => {
      const stream = makers[maker]!()
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      const length = await new Promise<number>((resolve) => {
        stream.write(much)
        stream.flush(zlib.constants.Z_SYNC_FLUSH, () => resolve(Buffer.concat(chunks).length))
      })
      expect(zlib.inflateRawSync(Buffer.concat(chunks), { finishFlush: zlib.constants.Z_SYNC_FLUSH }).equals(much)).toBe(true)
      expect(length).toBeGreaterThan(0)
    }, { interleave })
    expect(found).toMatchObject({ verdict: 'holds', failures: [] })
  })

  test(`a buffer may be made as Node makes them, by '${interleave}'`, async () => {
    const NodeBuffer = (Buffer as unknown as Readonly<Record<symbol, new (memory: ArrayBufferLike, from: number, length: number) => Uint8Array>>)[Symbol.species]!
    const found = await explore(async () => {
      const whole = Buffer.allocUnsafe(6)
      await null
      whole.set([1, 2, 3, 4, 5, 6])
      const part = new NodeBuffer(whole.buffer, whole.byteOffset, 4)
      expect([...part]).toEqual([1, 2, 3, 4])
    }, { interleave })
    expect(found).toMatchObject({ verdict: 'holds', failures: [] })
  })
}

test.each(both)("who gets a chunk of what is decompressed finds the stream as it was when that came, by '%s'", async (interleave) => {
  const whole = zlib.gzipSync(much)
  const found = await explore(async () => {
    const stream = zlib.createGunzip()
    const states = new Set<boolean>()
    let length = 0
    stream.on('data', (chunk: Buffer) => {
      states.add(stream.destroyed || stream.readableEnded)
      length += chunk.length
    })
    const ended = new Promise((resolve) => stream.on('end', resolve))
    stream.end(whole)
    await ended
    expect([...states]).toEqual([false])
    expect(length).toBe(much.length)
  }, { interleave })
  expect(found).toMatchObject({ verdict: 'holds', failures: [] })
})
