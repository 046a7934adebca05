import type { SiteId } from '../../../engine/ids.ts'
import type { Execution } from '../../execution/execution.ts'
import { changedRows, isPutBack, KeptByExploration } from '../resets.ts'
import { serversOf } from '../servers.ts'
import type { Connection } from './connections.ts'
import type { Control } from './control.ts'
import { KeptRows } from './kept-rows.ts'

const kept = new KeptByExploration<Control, KeptRows>()

/** What puts back what a connection changes; undefined where rows stay as they are. The exploration is refused where they must not be touched. */
export function keptRowsOf(execution: Execution, { client, control }: Connection, site: SiteId): KeptRows | undefined {
  const { database = '' } = client.config
  const { reset } = serversOf(execution).options.mysql ?? {}
  if (database === '' || !isPutBack(execution, changedRows(database, { driver: 'mysql', reset }), site)) return undefined
  return kept.of(execution, control!, () => new KeptRows(control!, database))
}
