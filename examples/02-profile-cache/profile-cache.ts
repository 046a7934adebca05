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
  readonly #profiles = new Map<string, Profile>()

  constructor(source: ProfileSource) {
    this.#source = source
  }

  async get(id: string): Promise<Profile> {
    const known = this.#profiles.get(id)
    if (known) return known
    const profile = await this.#source.load(id)
    this.#profiles.set(id, profile)
    return profile
  }
}
