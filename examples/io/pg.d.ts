/** What of the package `pg` the examples use. */
declare module 'pg' {
  interface Result {
    readonly rows: readonly any[]
  }
  interface Client {
    query(text: string, values?: readonly unknown[]): Promise<Result>
    release(): void
  }
  class Pool {
    constructor(config: object)
    connect(): Promise<Client>
    query(text: string, values?: readonly unknown[]): Promise<Result>
    end(): Promise<void>
  }
  const pg: { readonly Pool: typeof Pool }
  export default pg
}
