import type { Random } from '../../oracle/random.ts'
import { adopt, all, type Box, bump, bumpAdopted, bumpGiven, bumpState, Client, client, closedBox, ClosedBox, count, crate, Crate, each, forget, give, keep, listen, proxied, same, state as exported, sum, view, walk } from '../uninstrumented/keeper.ts'

/** Random programs over objects that code which is not instrumented keeps, hands over, and changes in place. */

interface Counted {
  n: number
  ref?: Counted
}

interface State {
  readonly crate: Crate
  readonly bound: ReturnType<typeof crate>
  readonly shared: Counted[]
  /** Of a class and of closures, which share a state. */
  readonly clients: { read: () => number; write: (n: number) => void }[]
  given: Counted | undefined
  readonly boxes: Box[]
  /** By process: an object that it has made or been given. */
  readonly own: (Counted | undefined)[]
  readonly log: number[][]
}

interface Here {
  readonly state: State
  readonly process: number
  readonly own: Counted | undefined
  readonly shared: Counted
  readonly a: number
  readonly b: number
}

const operations = {
  make: ({ state, process, a }) => (state.own[process] = { n: a }),
  keepOwn: ({ own }) => own && keep(own),
  keepShared: ({ shared }) => keep(shared),
  refer: ({ own, shared }) => own && (own.ref = shared),
  referFromSame: ({ shared }) => (same().ref = shared),
  bump: () => bump(),
  bumpAgain: () => (bump(), bump()),
  sum: ({ state, process }) => state.log[process]!.push(sum()),
  readSame: ({ state, process }) => state.log[process]!.push(same().n),
  setSame: ({ b }) => (same().n = b),
  increaseSame: () => same().n++,
  read: ({ state, process, shared }) => state.log[process]!.push(shared.n),
  write: ({ shared, b }) => (shared.n = b),
  writeOwn: ({ own, b }) => own && (own.n = b),
  readOwn: ({ state, process, own }) => own && state.log[process]!.push(own.n),
  publish: ({ state, own, a }) => own && (state.shared[a % 2] = own),
  take: ({ state, process }) => (state.own[process] = same()),
  changeEach: ({ b }) => each((object) => (object.n += b)),
  takeLast: ({ state, process }) => each((object) => (state.own[process] = object)),
  count: ({ state, process }) => state.log[process]!.push(all().length),
  changeFirst: ({ b }) => all().length > 0 && (all()[0]!.n = b),
  put: ({ state, own, shared }) => state.crate.put(own ?? shared),
  putSame: ({ state }) => state.crate.put(same()),
  putBound: ({ state, own, shared }) => state.bound.put(own ?? shared),
  bumpCrate: ({ state }) => state.crate.bump(),
  bumpBound: ({ state }) => state.bound.bump(),
  total: ({ state, process }) => state.log[process]!.push(state.crate.total),
  totalBound: ({ state, process }) => state.log[process]!.push(state.bound.crate.total),
  level: ({ state, b }) => (state.crate.level = b),
  bumpState: () => bumpState(),
  readState: ({ state, process }) => state.log[process]!.push(exported.n),
  writeState: ({ b }) => (exported.n = b),
  readCount: ({ state, process }) => state.log[process]!.push(count),
  give: () => give(),
  bumpGiven: () => bumpGiven(),
  readGiven: ({ state, process }) => state.log[process]!.push(state.given?.n ?? -1),
  writeGiven: ({ state, b }) => state.given && (state.given.n = b),
  readClient: ({ state, process, a }) => state.log[process]!.push(state.clients[a]!.read()),
  writeClient: ({ state, a, b }) => state.clients[a]!.write(b),
  viewSum: ({ state, process }) => state.log[process]!.push(view.sum),
  viewSame: ({ state, process }) => state.log[process]!.push(view.same.n),
  viewTake: ({ state, process }) => (state.own[process] = view.same),
  viewBump: ({ state, process }) => state.log[process]!.push(view.bumped),
  viewLevel: ({ b }) => (view.level = b),
  proxySum: ({ state, process }) => state.log[process]!.push(proxied.sum),
  proxyBump: ({ state, process }) => state.log[process]!.push(proxied.bumped),
  walk: ({ state, process }) => {
    for (const object of walk()) state.log[process]!.push(object.n)
  },
  walkTake: ({ state, process }) => {
    for (const object of walk()) state.own[process] = object
  },
  fill: ({ state, own, shared, a }) => state.boxes[a]!.put(own ?? shared),
  bumpBox: ({ state, a }) => state.boxes[a]!.bump(),
  totalBox: ({ state, process, a }) => state.log[process]!.push(state.boxes[a]!.total()),
  takeOfBox: ({ state, process, a }) => (state.own[process] = state.boxes[a]!.first()),
  linkBox: ({ state, a, b }) => a !== b % 4 && state.boxes[a]!.link({ box: state.boxes[b % 4]! }),
  bumpOther: ({ state, a }) => state.boxes[a]!.bumpOther(),
  adopt: ({ state, a }) => adopt(state.boxes[a]!),
  bumpAdopted: () => bumpAdopted(),
  swapMethods: ({ state, a }) => (state.boxes[a]!.bumpOther = bumpAdopted),
  takeFirst: ({ state, process, a }) => (state.own[process] = (a % 2 === 0 ? state.crate : state.bound.crate).first()),
} satisfies Record<string, (here: Here) => unknown>

const names = Object.keys(operations) as (keyof typeof operations)[]

type Operation = readonly [name: keyof typeof operations, a: number, b: number]

/** By process and step. */
export type Program = readonly (readonly (readonly Operation[])[])[]

export function begin(): State {
  forget()
  const state: State = { crate: new Crate(), bound: crate(), clients: [new Client(), new Client(), client(), client()], given: undefined, boxes: [new ClosedBox(), new ClosedBox(), closedBox(), closedBox()], shared: [{ n: 1 }, { n: 2 }], own: [], log: [[], [], []] }
  listen((object) => (state.given = object))
  for (const box of state.boxes) box.onBump((object) => (state.given = object))
  return state
}

export function perform(state: State, process: number, step: readonly Operation[]): void {
  for (const [name, a, b] of step) operations[name]({ state, process, own: state.own[process], shared: state.shared[a % 2]!, a, b })
}

export const outcome = ({ log, shared }: State): unknown => [log, shared.map(({ n, ref }) => [n, ref?.n ?? 0]), sum(), exported.n, count]

export function program(random: Random): Program {
  const some = <T>(least: number, most: number, make: () => T): T[] => Array.from({ length: random.between(least, most) }, make)
  // Of few operations: those that have to do with each other meet more often.
  const chosen = some(4, 7, () => random.pick(names))
  return some(2, 3, () => some(1, 2, () => some(1, 5, () => [random.pick(chosen), random.below(4), random.below(9)] as const)))
}

/** What the outcome is in all orders of the steps, each once. */
export function outcomesInAllOrders(processes: Program): string[] {
  const seen = new Set<string>()
  for (const order of orders(processes.map(({ length }) => length))) {
    const state = begin()
    const next = processes.map(() => 0)
    for (const process of order) perform(state, process, processes[process]![next[process]!++]!)
    seen.add(JSON.stringify(outcome(state)))
  }
  return [...seen].toSorted()
}

/** All orders of so many steps of each process. */
function orders(left: readonly number[]): number[][] {
  if (left.every((steps) => steps === 0)) return [[]]
  return left.flatMap((steps, process) => (steps === 0 ? [] : orders(left.map((other, i) => (i === process ? other - 1 : other))).map((order) => [process, ...order])))
}
