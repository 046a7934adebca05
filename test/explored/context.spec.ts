import { describe, expect } from 'vitest'
import { dporTest } from 'vitest-dpor'
class Counter { n = 0; async bump(by = 1) { const n = this.n; await null; this.n = n + by } }
const both = async (counter: Counter, by = 1) => { await Promise.all([counter.bump(by), counter.bump(by)]) }
dporTest.for([5])('for %i', { equivalence: 'trace' }, async (n, { task }) => { if (!task.name.includes(String(n))) throw new Error(task.name); await both(new Counter(), n) })
dporTest('context', { equivalence: 'trace' }, async ({ task, expect: own }) => {
  own(task.name).toBe('context')
  await both(new Counter())
})
