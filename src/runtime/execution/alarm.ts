import { nativeClearTimeout, nativeNow, nativeSetTimeout } from './native.ts'

/**
 * Calls back after so many real milliseconds, unless something else happens before. Nearly always it does: waits that follow one another share a timer, as it takes
 * as long as a short step to make one and to clear it.
 */
export class Alarm {
  #timer: ReturnType<typeof setTimeout> | undefined
  /** When that fires; milliseconds since the epoch. */
  #firesAt = 0
  #rings: (() => void) | undefined
  #ringsAt = 0

  /** Takes the place of what was set before. */
  set(milliseconds: number, rings: () => void): void {
    this.#rings = rings
    this.#ringsAt = nativeNow() + milliseconds
    if (this.#timer !== undefined && this.#firesAt <= this.#ringsAt) this.#timer.ref?.()
    else this.#start(milliseconds)
  }

  /** Nothing waits. The timer stays for what comes next, and keeps nothing alive. */
  unset(): void {
    this.#rings = undefined
    this.#timer?.unref?.()
  }

  /** Nothing comes any more. */
  end(): void {
    this.#rings = undefined
    nativeClearTimeout(this.#timer)
    this.#timer = undefined
  }

  #start(milliseconds: number): void {
    nativeClearTimeout(this.#timer)
    this.#firesAt = nativeNow() + milliseconds
    this.#timer = nativeSetTimeout(this.#fires, milliseconds)
  }

  readonly #fires = (): void => {
    this.#timer = undefined
    const rings = this.#rings
    if (!rings) return
    const left = this.#ringsAt - nativeNow()
    if (left > 0) return this.#start(left)
    this.#rings = undefined
    rings()
  }
}
