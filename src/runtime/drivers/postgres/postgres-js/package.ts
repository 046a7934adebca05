/** What of the package `postgres` is used here. */

/** A statement: a promise, which is sent when somebody asks for its outcome. */
export interface Query extends Promise<unknown> {
  executed: boolean
  active: boolean
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
  /** Its text is a template with values. */
  readonly tagged: boolean
  parameters?: readonly unknown[] | undefined
  readonly handler: Handler
  readonly strings: readonly string[]
  readonly args: readonly unknown[]
  /** Of the session that has it. */
  readonly state: Backend | null
  readonly options: { simple?: boolean; onexecute?: (connection: PostgresConnection) => unknown }
  handle(): unknown
  cancel(): unknown
  readonly cursorFn?: unknown
  readonly forEachFn?: unknown
  readonly streaming?: boolean
  readonly onlyDescribe?: boolean
}

/** Gives a statement to a connection. */
export type Handler = (query: Query) => unknown

/** The server's process for a connection. */
export interface Backend {
  readonly pid: number | null
}

/** One of a pool. */
export interface PostgresConnection {
  execute(query: Query): unknown
  connect(query: Query): void
  end(): unknown
  terminate(): unknown
  /** Where it stands in its pool. */
  readonly queue: unknown
  /** What a transaction does when it can be asked again; null where it belongs to nobody. */
  reserved?: unknown
  /** What a transaction does when the connection is lost. */
  onclose?: unknown
}

interface Queue {
  remove(connection: PostgresConnection): unknown
}

/** Where connections of a pool stand. */
export interface Queues {
  readonly closed: Queue
  readonly ended: unknown
  readonly open: unknown
}

export interface Options {
  readonly host: readonly string[]
  readonly port: readonly number[]
  /** Of a socket in the file system. */
  readonly path: string | false
  readonly database: string
  readonly user: string
  readonly pass: unknown
  readonly ssl: unknown
  readonly max: number
  readonly idle_timeout: unknown
  readonly max_lifetime: unknown
  /** Opens a socket in the package's place. */
  readonly socket?: ((options: Options) => Promise<Socket>) | undefined
}

type Socket = import('node:net').Socket

/** What `postgres()` returns. */
export interface Sql {
  readonly options: Options
  unsafe(text: string, values?: readonly unknown[]): Query
  end(how?: unknown): Promise<unknown>
  close(how?: unknown): Promise<unknown>
  reserve(): Promise<ReservedSql>
  listen: Listen
}

/** `sql.listen`: by a connection of its own, once it has one. */
export interface Listen {
  (channel: string, hear: (payload: string) => void, ...rest: readonly unknown[]): Promise<unknown>
  readonly sql?: Sql
}

/** What `sql.reserve()` resolves with. */
export interface ReservedSql {
  readonly unsafe: Sql['unsafe']
  release(): void
}

/** What one statement was answered. */
export interface Result extends ReadonlyArray<unknown> {
  /** Undefined where it has no rows, not even none. */
  readonly columns?: unknown
}

/** Whether this is what one statement was answered, and not a list of that. */
export const isResult = (answered: object): answered is Result => globalThis.Object.hasOwn(answered, 'command')

export type Postgres = (options: object) => Sql

/** What makes the text of a statement: values become parameters, which are added to a list. */
export interface Types {
  stringify(query: Query, text: string, value: unknown, parameters: unknown[], types: unknown[], options: Options): string
  handleValue(value: unknown, parameters: unknown[], types: unknown[], options: Options): unknown
}
