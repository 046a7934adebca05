/** Ten more services with one race each; with `isFixed` it is taken out. */

interface Kind {
  readonly isFixed: boolean
}

export class Tokens {
  token = 'old'
  #underWay: Promise<string> | undefined
  constructor(private readonly refresh: (old: string) => Promise<string>, private readonly kind: Kind) {}

  async renewed(): Promise<string> {
    if (this.kind.isFixed) return (this.#underWay ??= this.#renew())
    return this.#renew()
  }

  async #renew(): Promise<string> {
    return (this.token = await this.refresh(this.token))
  }
}

export class Pages {
  rows: string[] = []
  #asked = 0
  constructor(private readonly load: (page: number) => Promise<string[]>, private readonly kind: Kind) {}

  async more(): Promise<void> {
    const page = this.#asked++
    const rows = await this.load(page)
    if (this.kind.isFixed) rows.forEach((row, i) => (this.rows[page * 2 + i] = row))
    else this.rows.push(...rows)
  }
}

export class Toggle {
  isOn = false
  #last: Promise<void> = Promise.resolve()
  constructor(private readonly save: (isOn: boolean) => Promise<boolean>, private readonly kind: Kind) {}

  async flip(): Promise<void> {
    if (!this.kind.isFixed) return this.#flip()
    this.#last = this.#last.then(() => this.#flip())
    return this.#last
  }

  async #flip(): Promise<void> {
    this.isOn = await this.save(!this.isOn)
  }
}

interface Shelves {
  count(name: string): Promise<number>
  take(name: string): Promise<void>
}

export class Stock {
  readonly #locks = new Map<string, Promise<unknown>>()
  constructor(private readonly shelves: Shelves, private readonly kind: Kind) {}

  async reserve(name: string): Promise<boolean> {
    if (!this.kind.isFixed) return this.#reserve(name)
    const mine = (this.#locks.get(name) ?? Promise.resolve()).then(() => this.#reserve(name))
    this.#locks.set(name, mine)
    return mine
  }

  async #reserve(name: string): Promise<boolean> {
    if ((await this.shelves.count(name)) < 1) return false
    await this.shelves.take(name)
    return true
  }
}

export class Poller {
  latest = 0
  constructor(private readonly ask: () => Promise<{ readonly version: number }>, private readonly kind: Kind) {}

  async poll(): Promise<void> {
    const { version } = await this.ask()
    if (this.kind.isFixed && version < this.latest) return
    this.latest = version
  }
}

export class Uploads {
  sent = 0
  constructor(private readonly send: (bytes: number) => Promise<number>, private readonly kind: Kind) {}

  async add(bytes: number): Promise<void> {
    if (this.kind.isFixed) {
      const sent = await this.send(bytes)
      this.sent += sent
    } else this.sent += await this.send(bytes)
  }
}

export class Login {
  user: string | undefined
  #isClosed = false
  constructor(private readonly who: () => Promise<string>, private readonly kind: Kind) {}

  async enter(): Promise<void> {
    const user = await this.who()
    if (!this.kind.isFixed || !this.#isClosed) this.user = user
  }

  leave(): void {
    this.#isClosed = true
    this.user = undefined
  }
}

export class Jobs {
  readonly done: string[] = []
  readonly #waiting: string[] = []
  #isBusy = false
  constructor(private readonly work: (job: string) => Promise<void>, private readonly kind: Kind) {}

  async add(job: string): Promise<void> {
    this.#waiting.push(job)
    if (this.#isBusy) return
    this.#isBusy = this.kind.isFixed
    while (this.#waiting.length > 0) {
      const [next] = this.#waiting
      await this.work(next!)
      this.#waiting.shift()
      this.done.push(next!)
    }
    this.#isBusy = false
  }
}

export class SearchBox {
  shown = ''
  #timer: ReturnType<typeof setTimeout> | undefined
  #typed = 0
  constructor(private readonly find: (text: string) => Promise<string>, private readonly kind: Kind) {}

  type(text: string): void {
    clearTimeout(this.#timer)
    const typed = ++this.#typed
    this.#timer = setTimeout(() => void this.#show(text, typed), 100)
  }

  async #show(text: string, typed: number): Promise<void> {
    const found = await this.find(text)
    if (!this.kind.isFixed || typed === this.#typed) this.shown = found
  }
}

export class Settings {
  #loaded: Record<string, number> | undefined
  #loading: Promise<Record<string, number>> | undefined
  constructor(private readonly read: () => Promise<Record<string, number>>, private readonly kind: Kind) {}

  async set(name: string, value: number): Promise<void> {
    const all = await this.#all()
    all[name] = value
  }

  async get(name: string): Promise<number | undefined> {
    return (await this.#all())[name]
  }

  async #all(): Promise<Record<string, number>> {
    if (this.kind.isFixed) return (this.#loading ??= this.read())
    this.#loaded ??= await this.read()
    return this.#loaded
  }
}
