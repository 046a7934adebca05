/** Small pieces of applications, each with a race that `isFixed` takes out. */

export interface Options {
  readonly isFixed: boolean
}

/** One after another. */
export class Lock {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work)
    this.#last = result.catch(() => {})
    return result
  }
}

const always = <T>(work: () => Promise<T>): Promise<T> => work()

/** Two withdrawals read the same balance. */
export class Account {
  readonly #lock = new Lock()
  constructor(
    private readonly bank: { read(): Promise<number>; write(balance: number): Promise<void> },
    private readonly options: Options,
  ) {}

  async withdraw(amount: number): Promise<boolean> {
    return (this.options.isFixed ? this.#lock.run.bind(this.#lock) : always)(async () => {
      const balance = await this.bank.read()
      if (balance < amount) return false
      await this.bank.write(balance - amount)
      return true
    }) as Promise<boolean>
  }
}

/** The answer of the first question comes after that of the second. */
export class Search {
  results: string[] = []
  #asked = 0
  constructor(
    private readonly find: (text: string) => Promise<string[]>,
    private readonly options: Options,
  ) {}

  async type(text: string): Promise<void> {
    const asked = ++this.#asked
    const results = await this.find(text)
    if (this.options.isFixed && asked !== this.#asked) return
    this.results = results
  }
}

/** Two callers find nothing and load twice. */
export class Cache {
  readonly #values = new Map<string, unknown>()
  constructor(
    private readonly load: (key: string) => Promise<unknown>,
    private readonly options: Options,
  ) {}

  async get(key: string): Promise<unknown> {
    if (this.#values.has(key)) return this.#values.get(key)
    const loading = this.load(key)
    if (this.options.isFixed) {
      this.#values.set(key, loading)
      return loading
    }
    const value = await loading
    if (!this.#values.has(key)) this.#values.set(key, value)
    return value
  }

  /** An older load that ends late brings the old value back. */
  async refresh(key: string): Promise<void> {
    const before = this.#version
    const value = await this.load(key)
    if (this.options.isFixed && before !== this.#version) return
    this.#values.set(key, value)
  }

  #version = 0

  invalidate(key: string): void {
    this.#version++
    this.#values.delete(key)
  }

  peek(key: string): unknown {
    return this.#values.get(key)
  }
}

/** What it shows is of a user who has logged out meanwhile. */
export class Session {
  user: string | undefined
  profile: string | undefined
  constructor(
    private readonly api: { login(name: string): Promise<string>; profile(name: string): Promise<string> },
    private readonly options: Options,
  ) {}

  async login(name: string): Promise<void> {
    this.user = name
    await this.api.login(name)
    const profile = await this.api.profile(name)
    if (this.options.isFixed && this.user !== name) return
    this.profile = profile
  }

  logout(): void {
    this.user = undefined
    this.profile = undefined
  }
}

/** Rows are stored in the order in which their uploads end. */
export async function uploadAll(names: readonly string[], upload: (name: string) => Promise<string>, { isFixed }: Options): Promise<string[]> {
  if (isFixed) return Promise.all(names.map((name) => upload(name)))
  const urls: string[] = []
  await Promise.all(names.map(async (name) => urls.push(await upload(name))))
  return urls
}

/** The sum loses what comes in while it waits. */
export async function total(ids: readonly string[], price: (id: string) => Promise<number>, { isFixed }: Options): Promise<number> {
  const cart = { sum: 0 }
  await Promise.all(
    ids.map(async (id) => {
      if (isFixed) {
        const found = await price(id)
        cart.sum += found
      } else {
        cart.sum = cart.sum + (await price(id))
      }
    }),
  )
  return cart.sum
}

/** A name is taken twice. */
export class Registry {
  readonly #lock = new Lock()
  constructor(
    private readonly rows: { has(name: string): Promise<boolean>; add(name: string): Promise<void> },
    private readonly options: Options,
  ) {}

  async register(name: string): Promise<boolean> {
    const work = async (): Promise<boolean> => {
      if (await this.rows.has(name)) return false
      await this.rows.add(name)
      return true
    }
    return this.options.isFixed ? this.#lock.run(work) : work()
  }
}

/** It closes what is still in use. */
export class Pool {
  isClosed = false
  #users = 0
  #idle: (() => void) | undefined
  constructor(
    private readonly query: (text: string) => Promise<string>,
    private readonly options: Options,
  ) {}

  async use(text: string): Promise<string> {
    this.#users++
    const first = await this.query(text)
    if (this.isClosed) throw new Error('the pool is closed')
    this.#users--
    if (this.#users === 0) this.#idle?.()
    return first
  }

  async close(flush: () => Promise<void>): Promise<void> {
    await flush()
    if (this.options.isFixed && this.#users > 0) await new Promise<void>((resolve) => (this.#idle = resolve))
    this.isClosed = true
  }
}

/** Events before the connection stands are lost. */
export class Feed {
  readonly seen: string[] = []
  #early: string[] | undefined = []
  constructor(private readonly options: Options) {}

  async connect(open: () => Promise<void>): Promise<void> {
    await open()
    this.seen.push('open', ...(this.options.isFixed ? this.#early! : []))
    this.#early = undefined
  }

  receive(event: string): void {
    if (this.#early === undefined) this.seen.push(event)
    else this.#early.push(event)
  }
}

/** A save in the background overwrites a newer one. */
export class Draft {
  text = ''
  #last: Promise<unknown> = Promise.resolve()
  constructor(
    private readonly put: (text: string) => Promise<void>,
    private readonly options: Options,
  ) {}

  edit(text: string): void {
    this.text = text
    setTimeout(() => void this.save(), 500)
  }

  save(): Promise<void> {
    const { text } = this
    if (!this.options.isFixed) return this.put(text)
    const saved = this.#last.then(() => this.put(text))
    this.#last = saved
    return saved
  }
}
