import { test } from 'vitest'
import { outcomes } from './uninstrumented/outcomes.ts'
const bodies: Record<string, () => Promise<unknown>> = {
  tick: async () => { const l: string[] = []; process.nextTick(() => l.push('t')); queueMicrotask(() => l.push('f')); await null; l.push('2'); await new Promise((r) => setTimeout(r, 5)); return l.join() },
  imm: async () => { const l: string[] = []; setTimeout(() => l.push('timer'), 0); setImmediate(() => l.push('imm')); await new Promise((r) => setTimeout(r, 5)); return l.join() },
  imm2: async () => { const l: string[] = []; await null; setTimeout(() => l.push('timer'), 0); setImmediate(() => l.push('imm')); await new Promise((r) => setTimeout(r, 5)); return l.join() },
  timers: async () => { const l: string[] = []; setTimeout(() => l.push('timer'), 0); setTimeout(() => l.push('3'), 3); await new Promise((r) => setTimeout(r, 5)); return l.join() },
  then: async () => { const l: string[] = []; const p = Promise.resolve(); p.then(() => l.push('1')); await p; l.push('2');  await new Promise((r) => setTimeout(r, 5)); return l.join() },
  then2: async () => { const l: string[] = []; process.nextTick(() => l.push('t')); const p = Promise.resolve(); p.then(() => l.push('1')); await p; l.push('2');  return l.join() },
  immonly: async () => { const l: string[] = []; setImmediate(() => l.push('imm')); await null; l.push('2'); await new Promise((r) => setTimeout(r, 5)); return l.join() },
}
for (const time of ['idle', 'race'] as const) for (const [name, body] of Object.entries(bodies)) test(`x ${time} ${name}`, async () => {
  const r = await outcomes(body, { interleave: 'await', time })
  console.log('RES', name, time, r.executions, r.verdict, r.seen.join(' | '))
})
