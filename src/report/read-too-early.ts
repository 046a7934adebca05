import { changes } from './accesses.ts'
import type { Evidence } from './evidence.ts'
import type { Finding } from './finding.ts'

/** The failing line looks there before somebody has come as far. */
export const isReadTooEarly = (finding: Finding, { atThrow }: Evidence): boolean => finding.pattern === 'order-violation' && finding.first.kind === 'read' && changes(finding.second) && atThrow.has(finding.first.location)
