import type { ExplainInput, InputAccess, InputStep, Place } from '../../src/report/index.ts'

/** Recorded executions made by hand. A location is known by its label; `account.ts:6` stands for a place. */

type Options = { readonly of?: number; readonly location?: number; readonly call?: string }

const locations = new Map<string, number>()

function locationOf(label: string): number {
  if (!locations.has(label)) locations.set(label, locations.size)
  return locations.get(label)!
}

export function place(short: string, text = ''): Place {
  const [file, line] = short.split(':')
  return { file: `/app/src/${file}`, line: Number(line), column: 5, text }
}

interface Memory {
  readonly kind: 'read' | 'write' | 'add'
  readonly at: string
  readonly label: string
  readonly value: string
}

function access({ kind, at, label, value }: Memory, { of, location, call }: Options): InputAccess {
  return { kind, location: location ?? locationOf(label), place: at === '' ? undefined : place(at, label), label, value, call, callProcess: of }
}

/** `of`: the process that the call became whose first part this is. */
export const read = (at: string, label: string, value: string, options: Options = {}): InputAccess =>
  access({ kind: 'read', at, label, value }, options)

export const write = (at: string, label: string, value: string, options: Options = {}): InputAccess =>
  access({ kind: 'write', at, label, value }, options)

export const add = (at: string, label: string, options: Options = {}): InputAccess => access({ kind: 'add', at, label, value: '' }, options)

const promise = (kind: 'wait' | 'settle') => (name: string): InputAccess => ({
  kind, location: locationOf(`promise ${name}`), place: undefined, label: '', value: '',
})

export const wait = promise('wait')
export const settle = promise('settle')

export function step(process: number, accesses: readonly InputAccess[], { spawned = [], time }: { spawned?: number[]; time?: number } = {}): InputStep {
  return { process, place: undefined, accesses, spawned, time }
}

/** A failing execution: `names` of the processes, then the steps. */
export function failing(names: string, steps: readonly InputStep[], more: Partial<ExplainInput> & { error?: unknown; kind?: ExplainInput['failure']['kind'] } = {}): ExplainInput {
  const { error = new Error('expected 1 to be 2'), kind = 'error', ...rest } = more
  return {
    recording: { steps, names: names.split(' ') },
    failure: { kind, error, schedule: steps.map(({ process }) => process).join('.'), execution: 2 },
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
