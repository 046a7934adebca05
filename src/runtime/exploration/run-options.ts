import type { Exploration, Failure } from '../../engine/index.ts'
import type { DporOptions, ExplorationOptions } from '../../options/index.ts'
import type { ServerOptions } from '../drivers/servers.ts'
import type { RecordedExecution } from '../execution/recorded-execution.ts'
import type { IoAt } from './event-options.ts'
import type { OtherOrders } from './other-orders.ts'
import type { ExecutionHooks } from './surroundings.ts'

export interface RunOptions extends Readonly<Omit<DporOptions, 'onInconclusive' | 'hooks'>> {
  /** A schedule that has failed before: what it does now is found out after the plain run. */
  readonly knownFailure?: string | undefined
  /** Real time, in milliseconds since the epoch, at which to end. Default: never. */
  readonly deadline?: number | undefined
  /** Milliseconds that the plain run may take besides `maxTime`, which is then for what comes after it. Default: 0, it counts. */
  readonly plainTime?: number | undefined
  /** What to call the deadline when it ends the exploration. */
  readonly deadlineName?: string | undefined
  /** With `interleave: 'event-loop'`: what stands for I/O at this place. Default: nothing. */
  readonly io?: IoAt | undefined
  /** What is to be done about servers. */
  readonly servers?: ServerOptions | undefined
  /** Called now and then, with what tells what was found so far. */
  readonly onProgress?: ((found: () => Exploration) => void) | undefined
  readonly surroundings?: ExecutionHooks | undefined
  /** Called once something has failed, to find out what the failure comes from: the exploration ends when it has. */
  readonly investigate?: ((failing: FailingRun, orders: OtherOrders) => Promise<void>) | undefined
  /** What the plain run has changed in objects that are older stays so after the exploration, for whoever comes then. Default: it is put back. */
  readonly leavesState?: boolean | undefined
  /** With that: so do rows and keys of databases that are put back otherwise. */
  readonly leavesRows?: boolean | undefined
  /** With that: where the plain run leaves something under way, nothing of it stays, for a run without control follows. */
  readonly leavesNoWork?: boolean | undefined
  /** The short name of the test: the random numbers of another one are others, as they would be without this package. Default: those of the seed alone. */
  readonly drawsAs?: string | undefined
  /** Which places race is found out, and in which orders two processes came there. */
  readonly racedPlaces?: boolean | undefined
  /** Where the plain run is one line of control it is all there is: nothing else is run. Something else has to run the body, and the body to be an async function. */
  readonly endsWithOneLine?: boolean | undefined
  /** A verdict that says that nothing fails is not checked by running its last schedule again. */
  readonly trustsPassing?: boolean | undefined
}

/** The failing execution of an exploration that is told of. */
export interface FailingRun {
  readonly failure: Failure
  readonly recording: RecordedExecution
  /** Other executions have passed. */
  readonly passes: boolean
}

/** The same with what is given by default. */
export type FullOptions = RunOptions & ExplorationOptions
