import type { Random } from '../reference/random.ts'

/** Tasks that listen to an emitter, an event target and a signal that all share, in all ways, and emit. */
export function generateEmitters(random: Random): string {
  const note = (): string => random.one([`log.push(${10 + random.below(90)})`, 'x++', 'log.push(x)'])
  const value = (): string => String(random.below(9))
  const name = (): string => random.one(['a', 'b', 'error'])
  const listener = (): string =>
    random.one([
      `(v) => { log.push('l' + v); ${note()} }`, `async (v) => { await io(0); log.push('m' + v) }`, 'async (v) => { await io(0); throw v }', `function once(v) { log.push('r' + v); e.off('a', once) }`,
      `(v) => { log.push('t' + v); e.removeAllListeners('b') }`, 'shared',
    ])
  const targetListener = (): string =>
    random.one([`(v) => { log.push('T' + v.type); ${note()} }`, `{ handleEvent(v) { log.push('H' + v.type) } }`, `async () => { await io(0); log.push('A') }`, `(v) => { v.stopImmediatePropagation(); log.push('S') }`, 'sharedByTarget'])
  const flag = (): string => random.one(['true', 'false'])
  const tried = (work: string): string => `try { log.push(${work}) } catch (error) { log.push('E' + (error?.message ?? error)) }`
  const statement = (): string =>
    random.one([
      () => `${note()};`,
      () => `await io(0); ${note()};`,
      () => `e.${random.one(['on', 'once', 'prependListener', 'prependOnceListener', 'addListener'])}('${name()}', ${listener()});`,
      () => `e.${random.one(['on', 'once'])}('${name()}', ${listener()});`,
      () => `await io(0); ${tried(`e.emit('${random.one(['a', 'b'])}', ${value()})`)}`,
      () => tried(`e.emit('${name()}', ${value()})`),
      () => `e.off('${name()}', shared);`,
      () => `log.push(e.listenerCount('${name()}'), e.eventNames().length);`,
      () => `t.addEventListener('a', ${targetListener()}, { once: ${flag()}, signal: c.signal, capture: ${flag()} });`,
      () => `t.removeEventListener('a', sharedByTarget);`,
      () => `await io(0); log.push(t.dispatchEvent(new Event('a', { cancelable: true })));`,
      () => 'c.abort();',
      () => `void events.once(e, 'a', { signal: c.signal }).then(([v]) => { log.push('o' + v) }, (error) => { log.push(error?.name ?? error) });`,
      () => `e.on(events.errorMonitor, (v) => { log.push('M' + v) });`,
      () => `e.once('newListener', (added) => { log.push('N' + String(added)) });`,
      () => `c.signal.onabort = () => { log.push('ab'); ${note()} };`,
      () => 'c.signal.throwIfAborted();',
    ])()
  const task = (): string => `(async () => { ${Array.from({ length: 1 + random.below(3) }, statement).join(' ')} })().catch((error) => { log.push('c' + (error?.name ?? error)) })`
  return `const log = []; let x = 0; const e = new EventEmitter({ captureRejections: true }); e.on('error', (v) => { log.push('!' + (v?.name ?? v)) });
const t = new EventTarget(); const c = new AbortController(); const shared = (v) => { log.push('S' + v) }; const sharedByTarget = () => { log.push('TS') };
await Promise.all([${Array.from({ length: 1 + random.below(3) }, task).join(', ')}]); await new Promise((end) => setTimeout(end, 5)); return [log, x]`
}
