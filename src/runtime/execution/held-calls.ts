import type { SiteId } from '../../engine/ids.ts'

/** What a process is called that such a call of a function is which is not async: as no other call. */
export const nameOfPlain = (name: string): string => `${name} (held back)`
export const isPlain = (process: string): boolean => / \(held back\)#\d+$/.test(process)

/**
 * Calls that begin in steps of their own, and not in that of their caller: those of async functions, and once it is known which of the others return
 * promises, by place and code, these as well.
 */
export class HeldCalls {
  /** Whether all have. */
  readonly #givePromises = new Map<string, boolean>()
  #holdsPlain = false

  /** These begin later, too. */
  get holdsPlain(): boolean {
    return this.#holdsPlain
  }

  /** Of functions that are not async some return promises. */
  get knowsPlain(): boolean {
    return [...this.#givePromises.values()].includes(true)
  }

  holdPlain(): void {
    this.#holdsPlain = true
  }

  returned(site: SiteId, code: string, { isPromise }: { readonly isPromise: boolean }): void {
    const call = `${site} ${code}`
    this.#givePromises.set(call, isPromise && this.#givePromises.get(call) !== false)
  }

  isHeld(site: SiteId, code: string): boolean {
    return this.#holdsPlain && this.#givePromises.get(`${site} ${code}`) === true
  }
}
