import { Array, Object, Reflect } from '../../../engine/intrinsics.ts'
import type { SiteId } from '../../../engine/ids.ts'
import { readWhole } from '../../accesses/whole.ts'
import type { Execution } from '../../execution/execution.ts'
import { besideSteps } from '../../execution/running.ts'
import { call } from './calls.ts'
import type { Callback, Command, MysqlConnection, MysqlFunction } from './client.ts'
import type { Connection } from './connections.ts'

/** What a connection was asked. */
export interface Given {
  /** The text with all that the package puts into it. */
  textOf(client: MysqlConnection): string
  /** Values that the server is given beside it. */
  readonly values: readonly unknown[]
  /** Has the package ask the server. Of a statement it gives what a callback is told: rows and columns. */
  run(connection: Connection): Promise<unknown>
}

/** What `query` and `execute` are given: `(text, values?, callback?)`, or an object in the place of the text. */
export interface Arguments {
  readonly text: string
  readonly values: unknown
  readonly namedPlaceholders: boolean | undefined
  readonly callback: unknown
  /** As the package takes them, without the callback. */
  readonly args: readonly unknown[]
}

/** Looks at what is handed over, and keeps it as it is now. */
export function argumentsOf(execution: Execution, given: readonly unknown[], site: SiteId): Arguments {
  const args = given.filter((arg) => typeof arg !== 'function' && arg !== undefined).map((arg) => kept(execution, arg, site))
  const [first, second] = args
  const options = typeof first === 'object' && first !== null ? (first as Readonly<Record<string, unknown>>) : undefined
  return {
    text: String(options ? options['sql'] : first),
    values: second ?? options?.['values'],
    namedPlaceholders: options?.['namedPlaceholders'] as boolean | undefined,
    callback: given.find((arg) => typeof arg === 'function') ?? options?.['onResult'],
    args,
  }
}

function kept(execution: Execution, value: unknown, site: SiteId): unknown {
  if (Array.isArray(value)) {
    readWhole(execution, value, site)
    return value.map((one) => kept(execution, one, site))
  }
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== globalThis.Object.prototype) return value
  readWhole(execution, value, site)
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, kept(execution, one, site)]))
}

/** A text in which the package puts the values. */
export const queried = (given: Arguments): Given => ({ textOf: (client) => formatted(client, given), values: [], run: ({ client, functions }) => call(functions.query, client, given.args) })

/** What cannot be put in the package itself complains of. */
function formatted(client: MysqlConnection, { text, values, namedPlaceholders }: Arguments): string {
  try {
    // That it is looked at here is nobody's affair.
    return besideSteps(() => client.format(text, values ?? [], namedPlaceholders))
  } catch {
    return text
  }
}

/** A text that the server prepares, and values that it is given then. */
export const executed = ({ text, values, args }: Arguments): Given => ({ textOf: () => text, values: listOf(values), run: ({ client, functions }) => call(functions.execute, client, args) })

const listOf = (values: unknown): readonly unknown[] => (Array.isArray(values) ? (values as unknown[]) : [])

/** A text of the package's own. */
export const stating = (text: string): Given => queried({ text, values: undefined, namedPlaceholders: undefined, callback: undefined, args: [text] })

/** What is no statement, and may do anything to the connection. */
export const changing = (name: string, run: Given['run']): Given => ({ textOf: () => name, values: [], run })

/** A command that is made already: what was prepared before is executed. */
export function commanded(addCommand: MysqlFunction, command: Command): Given {
  const add: MysqlFunction = function (this: unknown, callback) {
    command.onResult = callback as Callback
    return Reflect.apply(addCommand, this, [command])
  }
  return { textOf: () => command.statement!.query, values: listOf(command.parameters), run: ({ client }) => call(add, client, []) }
}

/** The connection goes, and with it what it holds: others go on once the server has noticed. */
export function closing(close: (client: MysqlConnection) => Promise<unknown>): Given {
  return changing('rollback', async ({ client, control, session }) => {
    await close(client)
    while (session.status === 'open' && (await control!.knowsThread(client.threadId!)));
    session.isLost()
    return []
  })
}
