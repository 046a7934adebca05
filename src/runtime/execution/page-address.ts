import { Math } from '../../engine/intrinsics.ts'

/** As much of the page as is used here. */
interface Page {
  readonly document?: { cookie: string }
  readonly location?: { readonly href: string; readonly origin: string }
  readonly history?: { readonly state: unknown; replaceState(state: unknown, unused: string, url: string): void }
  /** By these a test gives its page another origin. */
  readonly happyDOM?: { setURL?(url: string): void }
  readonly jsdom?: { reconfigure?(settings: { readonly url: string }): void }
}

const past = 'expires=Thu, 01 Jan 1970 00:00:00 GMT'

/** The address of the test environment's page, with its state, and its cookies, when an exploration begins. Each execution finds them so. */
export class PageAddress {
  readonly #page = globalThis as unknown as Page
  readonly #href = this.#page.location?.href ?? ''
  readonly #origin = this.#page.location?.origin
  readonly #state: unknown = this.#page.history?.state
  readonly #cookies = this.#cookiesNow()

  restore(): void {
    const { document, location, history, happyDOM, jsdom } = this.#page
    if (location && location.origin !== this.#origin) {
      happyDOM?.setURL?.(this.#href)
      jsdom?.reconfigure?.({ url: this.#href })
    }
    if (history && (location?.href !== this.#href || history.state !== this.#state)) history.replaceState(this.#state, '', this.#href)
    if (!document) return
    const now = this.#cookiesNow()
    for (const name of now.keys()) if (!this.#cookies.has(name)) document.cookie = `${name}=; ${past}`
    for (const [name, value] of this.#cookies) if (now.get(name) !== value) document.cookie = `${name}=${value}`
  }

  #cookiesNow(): Map<string, string> {
    const cookies: unknown = this.#page.document?.cookie
    const pairs = typeof cookies === 'string' && cookies !== '' ? cookies.split('; ') : []
    return new Map(pairs.map((pair) => [pair.slice(0, Math.max(0, pair.indexOf('='))), pair.slice(pair.indexOf('=') + 1)]))
  }
}
