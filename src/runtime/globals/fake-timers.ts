import { Reflect } from '../../engine/intrinsics.ts'
import { whenOpaqueReturns } from '../accesses/opaque-calls.ts'
import type { Execution } from '../execution/execution.ts'
import { FakeClock } from './fake-clock.ts'
import { clockOf, installedClock, lastClock, mayHaveChanged, saveClock, type SinonClock } from './sinon-clock.ts'

let isExploring = false
/** What is installed now. */
let installed: FakeClock | undefined
/** What was installed before the first execution. */
let older: FakeClock | undefined

/** From now on, until what it returns is called, fake clocks tell what they do. */
export function takeOverClocks(): () => void {
  isExploring = true
  findClock()
  return () => {
    isExploring = false
    // One that the last execution has made may stay.
    if (installed !== older) installed?.release()
    older?.release()
    installed = older = undefined
  }
}

/** Before an execution: the clock that was installed around it belongs to it. */
export function adoptClock(execution: Execution): void {
  findClock()
  installed = older
  older?.adopt(execution)
}

function findClock(): void {
  mayHaveChanged()
  const clock = lastClock()
  if (clock === older?.clock) return
  older?.release()
  older = clock && new FakeClock(clock)
}

whenOpaqueReturns((execution) => {
  if (!isExploring || !mayHaveChanged()) return
  const clock = installedClock()
  if (clock === installed?.clock) return
  installed = clock === older?.clock ? older : clock && inside(execution, clock)
})

/** A clock that an execution has made: it goes with it. */
function inside(execution: Execution, clock: SinonClock): FakeClock {
  const made = new FakeClock(clock)
  made.adopt(execution)
  execution.journal.change(() => {
    if (installedClock() === clock) clock.uninstall()
  })
  return made
}

/** Where a function of the platform stands now: a fake clock keeps those that it has replaced. */
export function placeOf(target: object, key: string): { readonly holder: object; readonly name: string } {
  const faked = clockOf(Reflect.get(target, key))
  if (faked) return { holder: faked, name: `_${key}` }
  const kept = target === timerPromises ? installedClock()?.timersPromisesModuleMethods : undefined
  const entry = kept?.find(({ methodName }) => methodName === key)
  return entry ? { holder: entry, name: 'original' } : { holder: target, name: key }
}

const timerPromises: unknown = (globalThis.process as NodeJS.Process | undefined)?.getBuiltinModule?.('node:timers/promises')

/** A fake clock that somebody has installed. */
export interface InstalledClock {
  readonly clock: object
  /** What it stands for. */
  readonly methods: readonly string[]
  readonly now: number
  readonly tickMode: { readonly mode: string; readonly delta?: number | undefined } | undefined
  /** Gives its time and its timers, as they are now, to the clock that is installed then. */
  readonly handOn: () => void
}

/** The fake clock that is installed now. */
export function fakeClock(): InstalledClock | undefined {
  const clock = installedClock()
  if (!clock) return undefined
  const give = saveClock(clock)
  const handOn = (): void => {
    const next = installedClock()
    if (next) give(next)
  }
  return { clock, methods: [...clock.methods], now: clock.now, tickMode: clock.tickMode, handOn }
}
