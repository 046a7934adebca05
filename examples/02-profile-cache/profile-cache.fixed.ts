export interface Profile {
  readonly id: string
  readonly name: string
}

export interface ProfileSource {
  load(id: string): Promise<Profile>
}

/** Keeps profiles in memory, so that each is loaded once. */
export class ProfileCache {
  readonly #source: ProfileSource
  readonly #profiles = new Map<string, Promise<Profile>>()

  constructor(source: ProfileSource) {
    this.#source = source
  }

  /** The promise is kept, not the profile: who asks meanwhile waits for the same load. */
  get(id: string): Promise<Profile> {
    const known = this.#profiles.get(id)
    if (known) return known
    const loading = this.#load(id)
    this.#profiles.set(id, loading)
    return loading
  }

  async #load(id: string): Promise<Profile> {
    try {
      return await this.#source.load(id)
    } catch (error) {
      this.#profiles.delete(id)
      throw error
    }
  }
}
