import type { LocationId, SiteId } from '../../engine/ids.ts'
import type { Look } from '../../engine/observation/look.ts'
import type { ObjectId } from './identity.ts'
import type { Key } from './keys.ts'

/** How a promise was settled, */
export type SettledAs = 'fulfilled' | 'rejected'

/** and with what. */
export interface Settlement {
  readonly as: SettledAs
  readonly value: unknown
}

/** What one access does; `Accesses` says what each means. */
type Told =
  /** `value` is what was found. `as`: how a promise would have been settled, had this not come too late. */
  | { readonly kind: 'read'; readonly value: unknown; readonly look: Look; readonly as?: SettledAs }
  /** `value` is what is there from now on; `isGone`: nothing. `doing`: what changes it, of what has no value that could be shown. */
  | { readonly kind: 'write' | 'assign'; readonly value: unknown; readonly isGone?: boolean; readonly doing?: string | undefined }
  | { readonly kind: 'increase'; readonly found: number; readonly value: number }
  /** `value` is what was put at the end. */
  | { readonly kind: 'append'; readonly value: unknown }
  /** `member` is the key that came or went. */
  | { readonly kind: 'insert' | 'remove'; readonly member: unknown }
  /** A promise, and with what; a timer otherwise. */
  | { readonly kind: 'settle'; readonly as: SettledAs | undefined; readonly value: unknown }
  | { readonly kind: 'wait' }

export type ToldAccess = Told & {
  readonly location: LocationId
  readonly object: ObjectId
  readonly key: Key
  readonly site: SiteId
}

/** Is told which steps an execution takes, and what they access. */
export interface Witness {
  step(process: number, site: SiteId): void
  /** @param standsFor the process in whose place it does something: to a reader it is that one */
  spawned(process: number, name: string, standsFor?: number): void
  access(told: ToldAccess): void
}
