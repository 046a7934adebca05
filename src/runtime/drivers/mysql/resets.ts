import type { SiteId } from '../../../engine/ids.ts'
import type { Execution } from '../../execution/execution.ts'
import { looksLikeTest } from '../postgres/resets.ts'
import { serversOf, type ServerOptions } from '../servers.ts'
import type { Connection } from './connections.ts'
import type { Control } from './control.ts'
import { KeptRows } from './kept-rows.ts'

const byExploration = new WeakMap<ServerOptions, Map<Control, KeptRows>>()

/** What puts back what a connection changes; undefined where rows stay as they are. The exploration is refused where they must not be touched. */
export function keptRowsOf(execution: Execution, { client, control }: Connection, site: SiteId): KeptRows | undefined {
  const servers = serversOf(execution)
  const { database = '' } = client.config
  const reset = servers.options.mysql?.reset
  if (reset === false || database === '') return undefined
  if (reset !== database && !looksLikeTest(database)) {
    if (reset !== true) return undefined
    execution.refuse(
      `it changes rows of the database '${database}', which the option io.mysql.reset says to put back, and nothing in that name says that it is for tests`,
      `Use one that is named like ${database}_test, or name this one: dpor({ io: { mysql: { reset: '${database}' } } })`,
      site,
    )
  }
  let ofExploration = byExploration.get(servers.options)
  if (!ofExploration) byExploration.set(servers.options, (ofExploration = new Map()))
  let rows = ofExploration.get(control!)
  if (!rows) ofExploration.set(control!, (rows = new KeptRows(control!, database)))
  servers.whenAllOver(rows.putBack)
  return rows
}
