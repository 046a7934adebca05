import { lines } from './build.ts'
import { row, rows, type Litmus } from './litmus.ts'

/**
 * The shapes of the memory-model literature. A class is an order of each conflicting pair, so there are 2 to the
 * number of such pairs, less the combinations that are cyclic.
 */

/** n writers of a variable each, and readers that read them all, one upwards and one downwards. */
const independentReads = (n: number) =>
  lines((_, { shared }) => {
    const variables = Array.from({ length: n }, (_unused, i) => shared(`x[${i}]`, 0))
    return [
      ...variables.map((variable) => [variable.write(1)]),
      variables.map((variable) => variable.read()),
      variables.toReversed().map((variable) => variable.read()),
    ]
  })

/** One thread writes n variables, another reads them in the opposite order: n + 1, by how many of the writes are seen. */
const messagePassing = (n: number) =>
  lines((_, { shared }) => {
    const variables = Array.from({ length: n }, (_unused, i) => shared(`x[${i}]`, 0))
    return [variables.map((variable) => variable.write(1)), variables.toReversed().map((variable) => variable.read())]
  })

/** In a ring, each thread reads the variable of the one before and then writes its own: 2^n less the one cycle. */
const loadBufferRing = (n: number) =>
  lines((_, { shared }) => {
    const variables = Array.from({ length: n }, (_unused, i) => shared(`x[${i}]`, 0))
    return variables.map((variable, i) => [variables.at(i - 1)!.read(), variable.write(1)])
  })

/** In a ring, each thread writes its own variable and then that of the next: 2^n less the one cycle. */
const writeRing = (n: number) =>
  lines((_, { shared }) => {
    const variables = Array.from({ length: n }, (_unused, i) => shared(`x[${i}]`, 0))
    return variables.map((variable, i) => [variable.write(1), variables[(i + 1) % n]!.write(2)])
  })

export const communication: readonly Litmus[] = [
  ...rows('MP', messagePassing, [[2, 3], [3, 4], [6, 7]]),
  ...rows('LB', loadBufferRing, [[2, 3], [3, 7], [4, 15]]),
  ...rows('2+2W', writeRing, [[2, 3], [3, 7], [4, 15]]),
  ...rows('IRIW', independentReads, [[2, 15], [3, 54]]),
  row('R', lines(({ x, y }) => [[x.write(1), y.write(1)], [y.write(2), x.read()]]), 3),
  row('S', lines(({ x, y }) => [[x.write(2), y.write(1)], [y.read(), x.write(1)]]), 3),
  row('WRC', lines(({ x, y }) => [[x.write(1)], [x.read(), y.write(1)], [y.read(), x.read()]]), 7),
  row('RWC', lines(({ x, y }) => [[x.write(1)], [x.read(), y.read()], [y.write(1), x.read()]]), 7),
  row('WWC', lines(({ x, y }) => [[x.write(2)], [x.read(), y.write(1)], [y.read(), x.write(1)]]), 9),
  row('ISA2', lines(({ x, y, z }) => [[x.write(1), y.write(1)], [y.read(), z.write(1)], [z.read(), x.read()]]), 7),
  row('Z6.3', lines(({ x, y, z }) => [[x.write(1), y.write(1)], [y.write(2), z.write(1)], [z.read(), x.read()]]), 7),
  row('CoRR', lines(({ x }) => [[x.write(1)], [x.read(), x.read()]]), 3),
  row('CoRR with two writers', lines(({ x }) => [[x.write(1)], [x.write(2)], [x.read(), x.read()]]), 12),
  row('CoRR2', lines(({ x }) => [[x.write(1)], [x.write(2)], [x.read(), x.read()], [x.read(), x.read()]]), 72),
  row('CoRW', lines(({ x }) => [[x.read(), x.write(1)], [x.write(2)]]), 3),
  row('CoWR', lines(({ x }) => [[x.write(1), x.read()], [x.write(2)]]), 3),
  row('SB with a fence', lines(({ x, y, z }) => [
    [x.write(1), z.update((value) => value + 1), y.read()],
    [y.write(1), z.update((value) => value + 1), x.read()],
  ]), 4),
  row('MP over an update', lines(({ x, y }) => [
    [x.write(1), y.update((value) => value + 1)],
    [y.update((value) => value + 1)],
    [y.read(), x.read()],
  ]), 9),
  row('several writers and readers of several variables', lines(({ x, y, z }) => [
    [x.write(1), y.write(1)],
    [y.write(2), z.write(2)],
    [x.read(), y.read(), z.read()],
    [z.read(), x.read()],
  ]), 79),
]
