import type { LocationId, SiteId } from '../../engine/ids.ts'
import type { ExecutionOrder } from '../../engine/index.ts'
import { isOfRuntime } from '../execution/keys.ts'
import type { ToldAccess, Witness } from '../execution/told-access.ts'
import { placeOf, type SourcePlace } from '../execution/sources.ts'

/** Two places that access the same, one of them changing it, and in which orders two processes came there. */
export interface RacedPlaces {
  readonly first: SourcePlace
  readonly second: SourcePlace
  /** `one`: nothing orders them, and they came in one order only. `never`: one always had to come before the other. */
  readonly seen: 'both' | 'one' | 'never'
}

/** Two processes that came to two places. */
interface Pair {
  readonly sites: readonly [one: SiteId, other: SiteId]
  /** The process that was created before the other came first; and the other way round. */
  forward: boolean
  backward: boolean
  /** In some execution nothing ordered the two. */
  races: boolean
}

/** Executions of which it is looked up what orders their steps, while there are pairs of which that is not known. */
const mostOrdered = 50

/** More pairs are not told apart. */
const mostPairs = 20_000

/** Which places race, over the executions of an exploration. */
export class RacedPlacesOfAll {
  readonly #pairs = new Map<string, Pair>()
  /** Those of the running execution that may always be ordered, and steps in which the two came. */
  readonly #open = new Map<Pair, readonly [first: number, second: number]>()
  #ordered = 0

  /** Of one execution. */
  watch(): Witness {
    return new Accesses((earlier, later) => this.#came(earlier, later))
  }

  /** The execution has ended. @param order how its steps are ordered */
  ended(order: (() => ExecutionOrder) | undefined): void {
    if (order && this.#open.size > 0 && this.#ordered++ < mostOrdered) {
      const known = order()
      for (const [pair, steps] of this.#open) pair.races = !known.isEnforced(...steps)
    }
    this.#open.clear()
  }

  /** What any two processes have shown. */
  found(): RacedPlaces[] {
    const byPlaces = new Map<string, Pick<Pair, 'sites'> & { seen: RacedPlaces['seen'] }>()
    for (const { sites, forward, backward, races } of this.#pairs.values()) {
      const [first, second] = sites[0] < sites[1] ? sites : [sites[1], sites[0]]
      const seen = forward && backward ? 'both' : races ? 'one' : 'never'
      const known = byPlaces.get(`${first} ${second}`)
      if (!known) byPlaces.set(`${first} ${second}`, { sites: [first, second], seen })
      else if (seen === 'both' || known.seen === 'never') known.seen = seen
    }
    return [...byPlaces.values()].flatMap(({ sites, seen }) => {
      const [first, second] = [placeOf(sites[0]), placeOf(sites[1])]
      return first && second ? [{ first, second, seen }] : []
    })
  }

  #came(earlier: Came, later: Came): void {
    const isForward = earlier.process < later.process
    const [one, other] = isForward ? [earlier, later] : [later, earlier]
    const key = `${one.site} ${one.process} ${other.site} ${other.process}`
    let pair = this.#pairs.get(key)
    if (!pair) {
      if (this.#pairs.size >= mostPairs) return
      this.#pairs.set(key, (pair = { sites: [one.site, other.site], forward: false, backward: false, races: false }))
    }
    if (isForward) pair.forward = true
    else pair.backward = true
    if (!pair.races) this.#open.set(pair, [earlier.step, later.step])
  }
}

/** A process came to a place. */
interface Came {
  readonly site: SiteId
  readonly process: number
  readonly kind: ToldAccess['kind']
  step: number
}

/** The process of the test's body, which begins the others. */
const root = 0

class Accesses implements Witness {
  readonly #onPair: (earlier: Came, later: Came) => void
  /** By location: who came there, the last step of each. */
  readonly #came = new Map<LocationId, Came[]>()
  #process = root
  #step = -1

  constructor(onPair: (earlier: Came, later: Came) => void) {
    this.#onPair = onPair
  }

  step(process: number): void {
    this.#process = process
    this.#step++
  }

  spawned(): void {}

  access({ kind, location, key, site }: ToldAccess): void {
    if (kind === 'wait' || kind === 'settle' || site === 0 || this.#process === root || isOfRuntime(key)) return
    const all = this.#came.get(location) ?? []
    if (all.length === 0) this.#came.set(location, all)
    const own = all.find((one) => one.site === site && one.process === this.#process && one.kind === kind)
    const came = own ?? { site, process: this.#process, kind, step: this.#step }
    came.step = this.#step
    for (const earlier of all) if (earlier.process !== came.process && doNotCommute(earlier.kind, kind)) this.#onPair(earlier, came)
    if (!own) all.push(came)
  }
}

function doNotCommute(kind: ToldAccess['kind'], other: ToldAccess['kind']): boolean {
  if (kind === 'read' && other === 'read') return false
  if (kind === 'increase' && other === 'increase') return false
  return !(isOfKeys(kind) && isOfKeys(other))
}

const isOfKeys = (kind: ToldAccess['kind']): boolean => kind === 'insert' || kind === 'remove'
