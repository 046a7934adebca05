import { program, type Mutex, type Operation, type Program, type ProgramBuilder, type Shared, type Thread } from '../../src/engine/index.ts'

/** The programs of the papers on source sets, optimal and parsimonious DPOR, by their names there. */

/** A writer and n readers of one variable. */
export function readers(n: number): Program {
  return program(({ shared, thread }) => {
    const x = shared('x', 0)
    thread('writer', function* () {
      yield* x.write(42)
    })
    for (let i = 0; i < n; i++) {
      thread(`reader${i}`, function* () {
        yield* x.read()
      })
    }
  })
}

/** A thread looks for the last zero of an array while others count its elements up. */
export function lastzero(n: number): Program {
  return program(({ shared, thread }) => {
    const array = variables({ shared }, 'a', n + 1)
    thread('scan', function* () {
      let i = n
      while ((yield* array[i]!.read()) !== 0) i--
    })
    for (let j = 1; j <= n; j++) {
      thread(`count${j}`, function* () {
        const value = yield* array[j - 1]!.read()
        yield* array[j]!.write(value + 1)
      })
    }
  })
}

/** Threads take an inode and a free block each; every inode and block has its lock. */
export function filesystem(n: number): Program {
  return program(({ shared, mutex, thread }) => {
    const inodes = variables({ shared }, 'inode', 32)
    const busy = variables({ shared }, 'busy', 26)
    const inodeLocks = locks({ mutex }, 'li', 32)
    const blockLocks = locks({ mutex }, 'lb', 26)
    for (let id = 0; id < n; id++) thread(`t${id}`, () => allocate(id % 32))

    function* allocate(i: number) {
      yield* inodeLocks[i]!.lock()
      if ((yield* inodes[i]!.read()) === 0) yield* findBlock(i)
      yield* inodeLocks[i]!.unlock()
    }

    function* findBlock(i: number) {
      for (let tried = 0, block = (i * 2) % 26; tried < 10; tried++, block = (block + 1) % 26) {
        yield* blockLocks[block]!.lock()
        const free = (yield* busy[block]!.read()) === 0
        if (free) {
          yield* busy[block]!.write(1)
          yield* inodes[i]!.write(block + 1)
        }
        yield* blockLocks[block]!.unlock()
        if (free) return
      }
    }
  })
}

/** Threads insert four messages each into a hash table whose cells have locks. */
export function indexer(n: number): Program {
  return program(({ shared, mutex, thread }) => {
    const table = variables({ shared }, 'table', 128)
    const cellLocks = locks({ mutex }, 'm', 128)
    for (let id = 0; id < n; id++) {
      thread(`t${id}`, function* () {
        for (let k = 1; k <= 4; k++) {
          const message = k * 11 + id
          let cell = (message * 7) % 128
          while (!(yield* put(cell, message))) cell = (cell + 1) % 128
        }
      })
    }

    function* put(cell: number, message: number) {
      yield* cellLocks[cell]!.lock()
      const free = (yield* table[cell]!.read()) === 0
      if (free) yield* table[cell]!.write(message)
      yield* cellLocks[cell]!.unlock()
      return free
    }
  })
}

/** exp-mem, also called wakeup_stress: one race whose reversal has the n! orders of other threads before it. */
export function expMem(n: number): Program {
  return program(({ shared, thread, spawn, join }) => {
    const x = shared('x', 0)
    const y = shared('y', 0)
    thread('adder', function* () {
      yield* x.update((value) => value + 1)
    })
    thread('spawner', function* () {
      const children: Thread[] = []
      for (let i = 0; i < n; i++) {
        children.push(
          yield* spawn(`child${i}`, function* () {
            yield* y.update((value) => value + 1)
          }),
        )
      }
      for (const child of children) yield* join(child)
      yield* x.update((value) => value + 1)
    })
  })
}

/** The same with plain writes and a read at the end. */
export function expMem3(n: number): Program {
  return program(({ shared, thread, spawn, join }) => {
    const x = shared('x', 0)
    const y = shared('y', 0)
    thread('writer', function* () {
      yield* x.write(1)
    })
    thread('spawner', function* () {
      const children: Thread[] = []
      for (let i = 0; i < n; i++) {
        children.push(
          yield* spawn(`child${i}`, function* () {
            yield* y.write(1)
          }),
        )
      }
      for (const child of children) yield* join(child)
      yield* x.read()
    })
  })
}

/** JACM 2017, figure 10: groups of four threads, of which each starts the next in only one of its orders. */
export function figure10(n: number): Program {
  return program(({ shared, thread, spawn }) => {
    const x = variables({ shared }, 'x', n + 1)
    const y = variables({ shared }, 'y', n + 1)
    const z = variables({ shared }, 'z', n + 1)
    const bodies = { p, q, r, s }
    for (const [name, body] of Object.entries(bodies)) thread(`${name}1`, () => body(1))

    function* p(i: number): Generator<Operation<unknown>, void> {
      if ((yield* x[i]!.read()) === 0 || i === n) return
      for (const [name, body] of Object.entries(bodies)) yield* spawn(`${name}${i + 1}`, () => body(i + 1))
    }
    function* q(i: number) {
      yield* y[i]!.write(1)
    }
    function* r(i: number) {
      if ((yield* y[i]!.read()) === 0) yield* z[i]!.write(1)
    }
    function* s(i: number) {
      if ((yield* z[i]!.read()) === 0) return
      if ((yield* y[i]!.read()) === 0) yield* x[i]!.write(1)
    }
  })
}

/** Two threads with long private prefixes and one race at the end. */
export function lengthParam(n: number): Program {
  return program(({ shared, thread }) => {
    const local = variables({ shared }, 'local', 2)
    const v = shared('v', 0)
    for (let id = 0; id < 2; id++) {
      thread(`t${id}`, function* () {
        for (let i = 0; i < n; i++) {
          yield* local[id]!.write(i)
          yield* local[id]!.read()
        }
        yield* v.write(id)
        yield* v.read()
      })
    }
  })
}

/** A producer and a consumer that try n times each. */
export function circularBuffer(n: number): Program {
  return program(({ shared, mutex, thread }) => {
    const lock = mutex('lock')
    const buffer = variables({ shared }, 'buffer', 10)
    const send = shared('send', 1)
    const receive = shared('receive', 0)
    const first = shared('first', 0)
    const next = shared('next', 0)
    thread('producer', function* () {
      for (let i = 0; i < n; i++) {
        yield* lock.lock()
        if ((yield* send.read()) === 1) {
          const at = yield* next.read()
          yield* buffer[at]!.write(i)
          yield* next.write((at + 1) % 10)
          yield* send.write(0)
          yield* receive.write(1)
        }
        yield* lock.unlock()
      }
    })
    thread('consumer', function* () {
      for (let i = 0; i < n; i++) {
        yield* lock.lock()
        if ((yield* receive.read()) === 1) {
          const at = yield* first.read()
          yield* buffer[at]!.read()
          yield* first.write((at + 1) % 10)
          yield* receive.write(0)
          yield* send.write(1)
        }
        yield* lock.unlock()
      }
    })
  })
}

/** Two threads that try to enter a critical section guarded by a counter. */
export function linuxRwLocks(n: number): Program {
  const bias = 0x100000
  return program(({ shared, thread }) => {
    const lock = shared('lock', bias)
    const guarded = shared('guarded', 0)
    for (let id = 0; id < 2; id++) {
      thread(`t${id}`, function* () {
        for (let i = 0; i < n; i++) {
          const entered = (yield* lock.update((value) => value - bias)) === 0
          if (entered) {
            yield* guarded.write(id)
            yield* guarded.read()
          }
          yield* lock.update((value) => value + bias)
        }
      })
    }
  })
}

/** Two threads add each other's variable to their own, main waits for both. */
export function fibJoin(n: number): Program {
  return program(({ shared, thread, join }) => {
    const i = shared('i', 1)
    const j = shared('j', 1)
    const adders = [
      thread('t1', () => add(i, j)),
      thread('t2', () => add(j, i)),
    ]
    thread('main', function* () {
      for (const adder of adders) yield* join(adder)
    })
  })

  function* add(own: Shared<number>, other: Shared<number>) {
    for (let round = 0; round < n; round++) {
      const mine = yield* own.read()
      const theirs = yield* other.read()
      yield* own.write(mine + theirs)
    }
  }
}

function variables({ shared }: Pick<ProgramBuilder, 'shared'>, name: string, count: number): Shared<number>[] {
  return Array.from({ length: count }, (_, i) => shared(`${name}[${i}]`, 0))
}

function locks({ mutex }: Pick<ProgramBuilder, 'mutex'>, name: string, count: number): Mutex[] {
  return Array.from({ length: count }, (_, i) => mutex(`${name}[${i}]`))
}
