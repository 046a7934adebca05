interface Usage {
  /** Milliseconds in which this thread had something to do, */
  readonly busy: number
  /** and those of them in which it had a core. */
  readonly onCore: number
}

/** Milliseconds on a core that say how busy the machine is. */
const enough = 100
/** A machine that is busier than that makes no budget longer. */
export const slowest = 5

/**
 * How many times as long as alone this process takes for its work, as others have the cores meanwhile: a whole number, 1 where it has them to itself. A test that is
 * explored in a second on one machine would find nothing on a busy one in that time.
 */
export class Slowness {
  #before: Usage = { busy: 0, onCore: 0 }
  /** What `busy` was when it was asked last for how long there was a core. */
  #askedAt = -Infinity
  #slowness = 1
  readonly #look: () => Usage

  constructor(look: () => Usage = usage) {
    this.#look = look
  }

  /** As it was since it was asked for before. */
  now(): number {
    const used = this.#look()
    const { busy } = used
    // Who had less to do was on no core for longer; to ask for that takes its time.
    if (busy - this.#before.busy < enough || busy - this.#askedAt < enough / 4) return this.#slowness
    this.#askedAt = busy
    const { onCore } = used
    if (onCore - this.#before.onCore < enough) return this.#slowness
    this.#slowness = Math.min(slowest, Math.max(1, Math.round((busy - this.#before.busy) / (onCore - this.#before.onCore))))
    this.#before = { busy, onCore }
    return this.#slowness
  }
}

// Tests put fakes in their places.
const { process, performance } = globalThis as { process?: { threadCpuUsage?: () => NodeJS.CpuUsage; cpuUsage?: () => NodeJS.CpuUsage }; performance: { eventLoopUtilization?: () => { active: number } } }
/** Where the whole process is measured alone, what its other threads have had counts as well: then the machine seems less busy than it is. */
const timeOnCore = (process?.threadCpuUsage ?? process?.cpuUsage)?.bind(process)
const utilization = performance.eventLoopUtilization?.bind(performance)

/** From the start of the thread on. */
function usage(): Usage {
  if (!timeOnCore || !utilization) return { busy: 0, onCore: 0 }
  return {
    busy: utilization().active,
    get onCore() {
      const { user, system } = timeOnCore()
      return (user + system) / 1000
    },
  }
}
