import { program } from '../../../src/engine/index.ts'
import * as papers from '../../litmus/from-papers.ts'
import * as small from '../../litmus/small.ts'

export const readers = papers.readers(6)
export const lastzero = () => papers.lastzero(6)
/** 40,320 classes. */
export const adders = small.fetchAdd(8)
/** Threads that each read a counter and write it back, twice. */
export const counters = program(({ shared, thread }) => {
  const n = shared('n', 0)
  for (let i = 0; i < 3; i++) {
    thread(`counter${i}`, function* () {
      for (let time = 0; time < 2; time++) yield* n.write((yield* n.read()) + 1)
    })
  }
})
export const philosophers = small.philosophers(5, { ordered: false })
export default philosophers

/** A race in which some executions fail with a value that can be sent to another thread, and some with one that cannot. */
export const odd = program(({ shared, thread }) => {
  const x = shared('x', 0)
  let last = 0
  for (const value of [1, 2, 3]) {
    thread(`write${value}`, function* () {
      yield* x.write(value)
      last = value
    })
  }
  return () => {
    if (last === 1) throw { code: 1 }
    if (last === 2) throw Symbol('two')
    throw new RangeError('three')
  }
})

export const atomic = program((builder) => {
  const [x, y] = [builder.shared('x', 0), builder.shared('y', 0)]
  builder.thread('both', function* () {
    yield* builder.atomic(() => {
      x.set(1)
      y.set(1)
    })
  })
})

export const throwing = program(() => {
  throw new Error('no variables today\nnor tomorrow')
})

export function failing(): never {
  throw new TypeError('no program today')
}

export const number = 7
