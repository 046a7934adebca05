import type { SiteId } from '../../engine/ids.ts'
import { fileIndex } from './sources.ts'

/** A call that runs now. */
interface RunningCall {
  readonly site: SiteId
  readonly file: number
  /** The innermost one around it that is written in another file. */
  readonly other: RunningCall | undefined
}

/** Where the calls that run now are written: by whose code other code runs, as a package calls what it was given. */
export class CallSites {
  readonly #running: (RunningCall | undefined)[] = []

  enter(site: SiteId): void {
    const around = this.#running.at(-1)
    const file = site > 0 ? fileIndex(site) : undefined
    this.#running.push(file === undefined ? around : { site, file, other: around?.file === file ? around.other : around })
  }

  leave(): void {
    this.#running.pop()
  }

  /** Where another file has called the code at this place, or what that was called by; undefined where nothing of another file runs. */
  callerOf(site: SiteId): SiteId | undefined {
    const innermost = this.#running.at(-1)
    if (innermost === undefined || site <= 0) return undefined
    return (innermost.file === fileIndex(site) ? innermost.other : innermost)?.site
  }
}
