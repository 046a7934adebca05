/** What of a pool of `pg` is used. */
export interface Pool {
  connect(): Promise<Client>
}

interface Client {
  query(text: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly { readonly left: number }[] }>
  release(): void
}

/** Books one piece, if there is one. Returns whether there was. */
export async function buy(pool: Pool, item: number, customer: string): Promise<boolean> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query('select stock as left from item where id = $1 for update', [item])
    const isThere = rows[0]!.left > 0
    if (isThere) {
      await client.query('update item set stock = $2 where id = $1', [item, rows[0]!.left - 1])
      await client.query('insert into booking (item_id, customer) values ($1, $2)', [item, customer])
    }
    await client.query('commit')
    return isThere
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}
