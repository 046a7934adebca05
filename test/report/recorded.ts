import { Search, type ExecutionOrder, type LocationId } from '../../src/engine/index.ts'
import type { ExplainInput, InputAccess, InputAccessKind, InputKey, InputStep, InputValue, Place } from '../../src/report/index.ts'

/** Recorded executions made by hand. A location is known by its label; `account.ts:6` stands for a place. */

type Options = {
  /** The process that the call became whose first part this is. */
  readonly of?: number
  /** An object of its own, where several have one name. */
  readonly location?: number
  readonly call?: string
}

const locations = new Map<string, number>()

function numberOf(name: string): number {
  if (!locations.has(name)) locations.set(name, locations.size)
  return locations.get(name)!
}

export function place(short: string, text = ''): Place {
  const [file, line] = short.split(':')
  return { file: `/app/src/${file}`, line: Number(line), column: 5, text }
}

/** `account.balance`, `seats[0]`, `counts.get(n)`, `keys of jobs`, `count`. */
function located(label: string): { owner: string; key: InputKey } {
  const [, keys] = /^keys of (\w+)$/.exec(label) ?? []
  if (keys !== undefined) return { owner: keys, key: { kind: 'order' } }
  const [, owner, property, index, entry] = /^(\w+)(?:\.(\w+)|\[(\d+)\]|\.get\((\w+)\))?$/.exec(label) ?? []
  if (owner === undefined) throw new Error(`no label: ${label}`)
  if (entry !== undefined) return { owner, key: { kind: 'entry', key: { type: 'string', text: entry } } }
  if (property !== undefined) return { owner, key: { kind: 'property', name: property } }
  if (index !== undefined) return { owner, key: { kind: 'element', index: Number(index) } }
  return { owner: '', key: { kind: 'variable', name: owner } }
}

/** The value that is shown so. */
export function valueOf(text: string): InputValue {
  if (text === 'undefined' || text === 'null') return { type: text, text }
  if (text === 'true' || text === 'false') return { type: 'boolean', text }
  if (text.startsWith('"')) return { type: 'string', text }
  if (text.startsWith('[function')) return { type: 'function', text }
  return { type: Number.isNaN(Number(text)) ? 'object' : 'number', text }
}

interface Memory {
  readonly kind: InputAccessKind
  readonly at: string
  readonly label: string
  readonly value: string
}

function access({ kind, at, label, value }: Memory, { of, location, call }: Options): InputAccess {
  const { owner, key } = located(label)
  return {
    kind,
    location: location ?? numberOf(label),
    object: location ?? numberOf(`object ${owner === '' ? label : owner}`),
    owner,
    key,
    place: at === '' ? undefined : place(at, label),
    value: valueOf(value),
    call,
    callProcess: of,
  }
}

const ofMemory = (kind: InputAccessKind) => (at: string, label: string, value: string, options: Options = {}): InputAccess =>
  access({ kind, at, label, value }, options)

export const read = ofMemory('read')
export const write = ofMemory('write')
export const assign = ofMemory('assign')
export const increase = ofMemory('increase')
export const append = ofMemory('append')

const ofKey = (kind: 'insert' | 'remove') => (at: string, owner: string, member: string, options: Options = {}): InputAccess => ({
  ...access({ kind, at, label: `keys of ${owner}`, value: 'undefined' }, options),
  member: valueOf(member),
})

export const insert = ofKey('insert')
export const remove = ofKey('remove')

function ofPromise(kind: InputAccessKind, key: 'settled' | 'handled', name: string, more: Partial<InputAccess> = {}): InputAccess {
  const owner = `promise of ${name}`
  return {
    kind, location: numberOf(`${key} ${name}`), object: numberOf(owner), owner, key: { kind: key }, place: undefined, value: valueOf('undefined'), ...more,
  }
}

export const wait = (name: string): InputAccess => ofPromise('wait', 'settled', name)
export const settle = (name: string, as?: 'fulfilled' | 'rejected', value = 'undefined'): InputAccess =>
  ofPromise('settle', 'settled', name, { ...(as ? { as } : {}), value: valueOf(value) })
export const settleTooLate = (name: string, as: 'fulfilled' | 'rejected', value = 'undefined'): InputAccess =>
  ofPromise('read', 'settled', name, { as, value: valueOf(value) })
export const rejected = (name: string): InputAccess => ofPromise('write', 'handled', name, { value: valueOf('"rejected"') })
export const handle = (name: string): InputAccess => ofPromise('read', 'handled', name, { value: valueOf('false') })

export function step(process: number, accesses: readonly InputAccess[], { spawned = [], time }: { spawned?: number[]; time?: number } = {}): InputStep {
  return { process, place: undefined, accesses, spawned, time }
}

/** The order of the steps, as the engine sees it when it is driven through them. */
export function orderOf(steps: readonly InputStep[]): ExecutionOrder {
  const search = new Search({ maxSteps: steps.length + 1 })
  search.next()
  const spawned = new Set(steps.flatMap((one) => one.spawned))
  const count = Math.max(0, ...steps.map(({ process }) => process + 1), ...[...spawned].map((process) => process + 1))
  const roots = Array.from({ length: count }, (_, process) => process).filter((process) => !spawned.has(process))
  const ids = roots.map(() => search.spawn())
  if (roots.some((root, i) => root !== i)) throw new Error('processes that nobody creates come first')
  for (const { process, accesses, spawned: children, time } of steps) {
    if (time !== undefined) search.barrier()
    search.choose([ids[process]!])
    for (const one of accesses) tell(search, one)
    for (const child of children) ids[child] = search.spawn(ids[process])
    search.endStep()
  }
  search.finish({ status: 'complete' })
  return search.executionOrder()
}

function tell(search: Search, { kind, location }: InputAccess): void {
  const id = location as LocationId
  switch (kind) {
    case 'read':
      return search.read(id)
    case 'wait':
      return search.wait(id)
    case 'insert':
    case 'remove':
    case 'increase':
      return search.combine(id)
    case 'write':
    case 'assign':
    case 'append':
    case 'settle':
      return search.write(id)
    default:
      kind satisfies never
  }
}

/** A failing execution: `names` of the processes, then the steps. */
export function failing(names: string, steps: readonly InputStep[], more: Partial<ExplainInput> & { error?: unknown; kind?: ExplainInput['failure']['kind'] } = {}): ExplainInput {
  const { error = new Error('expected 1 to be 2'), kind = 'error', ...rest } = more
  const schedule = steps.map(({ process }) => process).join('.')
  return {
    recording: { steps, names: names.split(' '), order: orderOf(steps) },
    failure: { kind, error, schedule, execution: 2 },
    commandLineReplay: schedule,
    executions: 2,
    complete: false,
    root: '/app',
    name: 'the test',
    ...rest,
  }
}
export function errorNamed(name: string, message: string): Error {
  const error = new Error(message)
  error.name = name
  return error
}

export function thrownAt(short: string, message: string): Error {
  const error = new TypeError(message)
  const { file, line } = place(short)
  error.stack = `TypeError: ${message}\n    at get (/app/node_modules/vitest-dpor/dist/runtime.js:10:5)\n    at ${file}:${line}:52`
  return error
}

/** Two calls of `withdraw`, whose first parts run in the step of the test. */
export const withdrawals = (): ExplainInput =>
  failing(
    'test withdraw#1 withdraw#2',
    [
      step(
        0,
        [
          write('account.ts:3', 'account.balance', '100'),
          read('account.spec.ts:5', 'account.withdraw', '[function withdraw]'),
          read('account.ts:6', 'account.balance', '100', { of: 1, call: 'withdraw' }),
          read('account.spec.ts:5', 'account.withdraw', '[function withdraw]'),
          read('account.ts:6', 'account.balance', '100', { of: 2, call: 'withdraw' }),
          settle('audit 1'),
          settle('audit 2'),
        ],
        { spawned: [1, 2] },
      ),
      step(1, [wait('audit 1'), write('account.ts:8', 'account.balance', '20'), settle('paid 1')]),
      step(2, [wait('audit 2'), write('account.ts:8', 'account.balance', '20'), settle('paid 2')]),
      step(0, [wait('paid 1'), wait('paid 2'), read('account.spec.ts:6', 'paid[0]', '80'), read('account.spec.ts:6', 'paid[1]', '80')]),
    ],
    { error: errorNamed('AssertionError', 'expected 160 to be less than or equal to 100') },
  )
