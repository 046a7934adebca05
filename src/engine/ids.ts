/** The one brand key; ids are plain numbers at run time. */
declare const brand: unique symbol

/**
 * A process: one line of control. Ids are interned from (parent, spawn index), so a process
 * has the same id in every execution in which the same parent spawns it as its n-th child.
 */
export type ProcessId = number & { readonly [brand]: 'process' }

/**
 * A process's place in the order of creation within one execution: what clocks, sleep sets and schedules are written in.
 * Executions that begin with the same steps have the same ordinals for the processes that were created in those.
 */
export type Ordinal = number & { readonly [brand]: 'ordinal' }

/**
 * A location: what an access reads or writes. Whoever drives the engine numbers locations from 0
 * and gives the same number to the same location in every execution.
 */
export type LocationId = number & { readonly [brand]: 'location' }

/** Where an access stands in the source, as its driver numbers it; 0 where unknown. */
export type SiteId = number
