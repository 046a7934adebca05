import type { Random } from '../reference/random.ts'

/** What emits, and how it is made, told something and ended. */
interface Kind {
  readonly make: string
  readonly emits: (value: number) => string
  readonly methods: readonly string[]
  readonly event: string
  readonly end: string
  /** It is listened to by `addEventListener`. */
  readonly isTarget?: boolean
  /** Real milliseconds that it may take. */
  readonly takes?: number
  /** Who is added while it tells the others may be told as well, which is not modelled. */
  readonly tellsAdded?: boolean
}

const ofEmitters = ['on', 'once', 'prependListener', 'prependOnceListener']

const port: Kind = {
  make: `const { port1, port2: e } = new Channel()`,
  emits: (value) => `port1.postMessage(${value})`,
  methods: ['on', 'once', 'addListener'],
  event: 'message',
  end: `port1.close()`,
  tellsAdded: true,
}

const webPort: Kind = {
  ...port,
  make: `const { port1, port2: e } = new MessageChannel(); e.start()`,
  isTarget: true,
}

const stream: Kind = {
  make: `const e = new PassThrough({ objectMode: true })`,
  emits: (value) => `if (!e.writableEnded) e.write(${value})`,
  methods: ofEmitters,
  event: 'data',
  end: `if (!e.writableEnded) e.end()`,
}

const piped: Kind = { ...stream, make: `const first = new PassThrough({ objectMode: true }); const e = first.pipe(new PassThrough({ objectMode: true })); first.on('data', () => note('first'))`, emits: (value) => `if (!first.writableEnded) first.write(${value})`, end: `if (!first.writableEnded) first.end()` }

const emitter: Kind = {
  make: `const e = new EventEmitter()`,
  emits: (value) => `e.emit('x', ${value})`,
  methods: ofEmitters,
  event: 'x',
  end: ``,
}

/** What comes from a socket comes one by one. */
const packets: Kind = {
  make: `const e = createSocket('udp4'); e.bind(0, '127.0.0.1'); await once(e, 'listening'); const other = createSocket('udp4'); other.bind(0, '127.0.0.1'); await once(other, 'listening'); const { port } = e.address()`,
  emits: (value) => `other.send('${value}', port, '127.0.0.1')`,
  methods: ofEmitters,
  event: 'message',
  takes: 100,
  end: `e.close(); other.close()`,
  tellsAdded: true,
}

const server: Kind = {
  make: `const e = createServer(); const made = []; e.listen(0, '127.0.0.1'); await once(e, 'listening'); const { port } = e.address()`,
  emits: () => `made.push(connect(port, '127.0.0.1'))`,
  methods: ofEmitters,
  event: 'connection',
  takes: 100,
  end: `for (const socket of made) socket.destroy(); e.close()`,
  tellsAdded: true,
}

/** One that something real calls. */
const called: Kind = { ...emitter, emits: (value) => `open++; readFile(path, () => { open--; e.emit('x', ${value}) })` }

const target: Kind = {
  ...emitter,
  make: `const e = new EventTarget()`,
  emits: () => `e.dispatchEvent(new Event('x'))`,
  isTarget: true,
  methods: ['on', 'once'],
}

export const emitting: Readonly<Record<string, Kind>> = { port, webPort, stream, piped, packets, server, emitter, called, target }

/**
 * Writes a program about one thing that emits: listeners of every kind, promises that they settle, `once`, jobs that they begin, and others that they add and remove.
 * Nothing else comes from outside, so there is one order only.
 */
export function generateEmissions(random: Random, { make, emits, methods, event, end, isTarget = false, takes = 30, tellsAdded = false }: Kind): string {
  const listens = (method: string, listener: string): string => (isTarget ? `e.addEventListener('${event}', ${listener}${method === 'once' ? ', { once: true }' : ''})` : `e.${method}('${event}', ${listener})`)
  let count = 0
  let emitted = 0
  const note = (): string => `note(${count++})`
  const d = (): string => `d[${random.below(3)}]`
  const job = (): string => random.one([() => `process.nextTick(() => ${note()})`, () => `queueMicrotask(() => ${note()})`, () => `Promise.resolve().then(() => ${note()})`])()
  const act = (depth: number): string => {
    const acts: (() => string)[] = [note, note, job, job, () => `${d()}.resolve(1)`]
    if (depth < 2) acts.push(() => later(listen(depth + 1)), () => later(wait(depth + 1)))
    if (emitted < 5 && depth < 2) acts.push(() => `if (again-- > 0) { ${emits(++emitted)} }`)
    return random.one(acts)()
  }
  const later = (code: string): string => (tellsAdded ? `queueMicrotask(() => { ${code} })` : code)
  const acts = (depth: number): string => Array.from({ length: 1 + random.below(3) }, () => act(depth)).join('; ')
  const listener = (depth: number): string =>
    random.one([
      () => `() => { ${acts(depth)} }`,
      () => `() => { ${acts(depth)} }`,
      () => `async () => { ${note()}; await null; ${acts(depth)} }`,
      () => `async () => { ${note()}; await ${d()}.promise; ${acts(depth)} }`,
      () => `${d()}.resolve`,
      () => `(() => { ${note()} }).bind(null)`,
    ])()
  const listen = (depth: number): string => listens(random.one(methods), listener(depth))
  const wait = (depth: number): string =>
    random.one([
      () => `once(e, '${event}').then(() => { ${acts(depth)} })`,
      () => `new Promise((resolve) => ${listens('once', 'resolve')}).then(() => { ${acts(depth)} })`,
      () => `(async () => { await ${d()}.promise; ${acts(depth)} })()`,
      () => `(async () => { await once(e, '${event}'); ${acts(depth)}; await once(e, '${event}'); ${acts(depth)} })()`,
      () => `(async () => { for await (const _ of on(e, '${event}')) { ${acts(depth)}; if (left-- < 0) break } })()`,
    ])()
  const statements = Array.from({ length: 3 + random.below(4) }, () => random.one([() => listen(0), () => listen(0), () => wait(0), () => `${emits(++emitted)}`, () => act(0)])())
  return `
const log = []
let again = 4, left = 3, open = 0
const note = (text) => { log.push(text) }
const d = [0, 1, 2].map(() => { const made = {}; made.promise = new Promise((a) => { made.resolve = a }); return made })
${make}
async function f0() {
${statements.join(';\n')};
${emits(++emitted)};
}
f0();
for (let i = 0; i < 2 || open > 0; i++) await new Promise((end) => setTimeout(end, ${takes}))
${end}
return log`
}
