import { describe, expect, test } from 'vitest'
import { ACQUIRE, ADD, APPEND, ARRANGE, ASSIGN, COMBINE, KEEP, PLACE, READ, RELEASE, UNTIL, WRITE, conflicts, kindOf, kindTogether } from '../../src/engine/access.ts'

/** One location: a value, or a lock with its holder. */
interface Cell {
  value: number
  holder: string | undefined
}

/** What an access by a process does, and what it sees. */
const effects: Record<number, (cell: Cell, process: string) => unknown> = {
  [READ]: (cell) => cell.value,
  [UNTIL]: (cell) => cell.value,
  [WRITE]: (cell, process) => {
    cell.value = process === 'p' ? 0 : 2
  },
  [ACQUIRE]: (cell, process) => {
    cell.holder = process
  },
  [RELEASE]: (cell) => {
    cell.holder = undefined
  },
}

const enabled: Record<number, (cell: Cell, process: string) => boolean> = {
  [READ]: () => true,
  [UNTIL]: (cell) => cell.value === 0,
  [WRITE]: () => true,
  [ACQUIRE]: (cell) => cell.holder === undefined,
  [RELEASE]: (cell, process) => cell.holder === process,
}

/** What both see and leave behind when `first` goes first; `undefined` if that is impossible. */
function run(start: Cell, order: readonly (readonly [string, number])[]): unknown {
  const cell = { ...start }
  const seen: Record<string, unknown> = { p: 0, q: 0 }
  for (const [process, kind] of order) {
    if (!enabled[kind]!(cell, process)) return undefined
    seen[process] = effects[kind]!(cell, process)
  }
  return { cell, seen }
}

const cells: Cell[] = [0, 1, 2].flatMap((value) => [undefined, 'p', 'q'].map((holder) => ({ value, holder })))

function commute(first: number, second: number): boolean {
  return cells.every((cell) => {
    const one = run(cell, [['p', first], ['q', second]])
    const other = run(cell, [['q', second], ['p', first]])
    return JSON.stringify(one) === JSON.stringify(other)
  })
}

describe('accesses of one location that do not commute are dependent', () => {
  const memory = [READ, WRITE, UNTIL]
  const locks = [ACQUIRE, RELEASE]
  const pairs = [memory, locks].flatMap((kinds) => kinds.flatMap((first) => kinds.map((second) => [first, second] as const)))

  test.each(pairs.map(([first, second]) => [kindOf(first), kindOf(second), first, second] as const))('%s and %s', (_, __, first, second) => {
    expect(conflicts(first, second)).toBe(conflicts(second, first))
    if (!commute(first, second)) expect(conflicts(first, second)).toBe(true)
  })

  test('changes of one kind that merge are independent, changes of different kinds are not', () => {
    const merging = [COMBINE, ASSIGN, ADD, APPEND, ARRANGE]
    for (const first of merging) for (const second of [READ, WRITE, PLACE, ...merging]) expect(conflicts(first, second)).toBe(first !== second)
    expect(conflicts(PLACE, PLACE)).toBe(true)
  })

  test('who keeps a key conflicts with who changes all of them, not with who adds, removes or looks', () => {
    for (const kind of [READ, UNTIL, ARRANGE, PLACE, KEEP]) expect(conflicts(KEEP, kind)).toBe(false)
    expect(conflicts(KEEP, WRITE)).toBe(true)
  })

  test('two accesses of one step conflict with all that either conflicts with; what follows a blind write is hidden', () => {
    const every = [READ, WRITE, COMBINE, ASSIGN, ADD, APPEND, ARRANGE, PLACE, KEEP]
    for (const first of every) {
      for (const second of every) {
        const both = kindTogether(first, second)
        if (first === ASSIGN) expect(both).toBe(ASSIGN)
        else for (const other of every) expect(conflicts(both, other) || !(conflicts(first, other) || conflicts(second, other))).toBe(true)
      }
    }
  })

  test('and reads are not', () => {
    expect(conflicts(READ, READ)).toBe(false)
    expect(conflicts(READ, UNTIL)).toBe(false)
  })
})
